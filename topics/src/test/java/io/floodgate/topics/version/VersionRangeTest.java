package io.floodgate.topics.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {
    @ParameterizedTest
    @Table("""
        2.0           | true  | 2.0 | 2.0.7
        2.0           | false | 2.1
        2.0           | true  | 2
        2.1.0         | true  | 2.1.9
        2             | true  | 2.7
        2             | false | 3.0
        2.x           | true  | 2.0
        2.1.x         | true  | 2.1
        2.1.x         | false | 2.2
        >=1.0 <2.0    | true  | 1.9
        >=1.0 <2.0    | false | 2.0 | 0.9
        >=1.0, <2.0   | true  | 1.0
        >=1.0,<2.0    | false | 2.0
        >= 1.0 < 2.0  | true  | 1.5
        >=1 <3        | true  | 2.9
        >=1 <3        | false | 3.0
        >=2.0         | true  | 17.3
        >=2.0         | false | 1.99
        <2.0          | true  | 0.0
        1.10          | false | 1.9
        >=1.9 <1.11   | true  | 1.10
        *             | true  | 0.1 | beta
        >=0           | false | beta | 2.0-rc1
        >=999999999.0 | true  | 999999999.999999999
        """)
    void a_range_has_versions(String range, boolean has, String version) throws UnreadableRange {
        assertThat(VersionRange.parse(range).has(JobVersion.of(version))).isEqualTo(has);
    }

    @Test
    void of_a_list_one_has_to_hold() throws UnreadableRange {
        VersionRange range = VersionRange.parse(List.of("1.0", "3.x"));
        assertThat(range.has(JobVersion.of("1.0"))).isTrue();
        assertThat(range.has(JobVersion.of("2.0"))).isFalse();
        assertThat(range.has(JobVersion.of("3.4"))).isTrue();
        assertThat(VersionRange.parse(List.of("1.0", "*"))).isEqualTo(VersionRange.ANY);
    }

    @ParameterizedTest
    @CsvSource({
        "2,            2.x",
        "2.1.7,        2.1",
        ">=1 <2,       1.x",
        "'>=1.2 <2',   >=1.2 <2.0",
        ">=3,          >=3.0",
        "<3,           <3.0",
        ">=0,          >=0.0",
        "*,            *",
        "999999999.x,  999999999.x"
    })
    void equal_ranges_are_equal_however_they_are_written(String given, String canonical) throws UnreadableRange {
        VersionRange range = VersionRange.parse(given);
        assertThat(range.texts()).containsExactly(canonical);
        assertThat(VersionRange.parse(range.texts())).isEqualTo(range);
    }

    @Test
    void those_that_overlap_are_joined() throws UnreadableRange {
        VersionRange joined = VersionRange.parse(List.of(">=2.5", "2.x", "1.0", "<1000000000.0"));
        assertThat(joined.texts()).containsExactly(">=0.0");
        VersionRange apart = VersionRange.parse(List.of("3.x", "1.0", "1.x"));
        assertThat(apart.texts()).containsExactly("1.x", "3.x");
        assertThat(VersionRange.parse(apart.texts())).isEqualTo(apart);
    }

    @ParameterizedTest
    @Table("""
        ^1.0 | ~1.0 | >1.0 | <=2.0 | =1.0 | v1 | 1. | .1 | x | 1.x.y | * <2.0 | >=2.x | -1 | 1.0,,2.0 | 10000000000
        1e3 | >= | １
        """)
    @ValueSource(strings = {"", " ", "1.0 || 2.0"})
    void says_what_is_no_range(String wrong) {
        assertThatThrownBy(() -> VersionRange.parse(wrong))
                .isInstanceOf(UnreadableRange.class)
                .hasMessageContaining("range of versions");
    }

    @ParameterizedTest
    @ValueSource(strings = {">=2.0 <1.0", "1.0 2.0", "<0.0"})
    void a_range_has_at_least_one_version(String empty) {
        assertThatThrownBy(() -> VersionRange.parse(empty))
                .isInstanceOf(UnreadableRange.class)
                .hasMessageContaining("No version is in the range");
    }

    @Test
    void expressions_are_bounded() {
        assertThatThrownBy(() -> VersionRange.parse(" ".repeat(98) + "1.0")).hasMessageContaining("100 characters");
        assertThatThrownBy(() -> VersionRange.parse(Collections.nCopies(11, "1.0")))
                .hasMessageContaining("10 elements");
        assertThatThrownBy(() -> VersionRange.parse(List.of())).hasMessageContaining("at least one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "beta", "1.x", "2.0-rc1", "1.2.3.4", "-1", "1,0", "12345678901"})
    void a_version_without_numbers_is_another_one(String text) {
        assertThat(JobVersion.of(text)).isEqualTo(JobVersion.OTHER);
    }
}
