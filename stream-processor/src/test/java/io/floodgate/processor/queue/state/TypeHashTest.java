package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TypeHashTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2",
                "2.x",
                "2.0",
                ">=1.0 <2.0",
                ">=2.0",
                "<3.1",
                ">=1.3 <4.2",
                "0.x",
                ">=23.5",
                "2025.x",
                ">=2024.11 <2025.2"
            })
    void no_job_in_a_range_is_passed_over(String text) throws UnreadableRange {
        VersionRange range = VersionRange.parse(text);
        WantedFilter filter = new WantedFilter(WantedJobs.ALL.accepting(Map.of("a.b", range)));
        for (int major : new int[] {0, 1, 2, 3, 4, 22, 23, 24, 25, 31, 32, 2023, 2024, 2025, 2026})
            for (int minor = 0; minor < 20; minor++) {
                JobVersion version = new JobVersion(major, minor);
                boolean passes = filter.hasMark(TypeHash.of("a.b", version));
                if (range.has(version)) assertThat(passes).as("%s", version).isTrue();
                else if (major < 23 && minor < 6)
                    assertThat(passes).as("%s", version).isFalse();
            }
        assertThat(filter.hasMark(TypeHash.of("a.b", null))).isTrue();
        assertThat(filter.hasMark(TypeHash.of("a.b", JobVersion.OTHER))).isFalse();
        assertThat(filter.hasMark(TypeHash.of("other", new JobVersion(99, 1)))).isTrue();
    }

    @Test
    void major_versions_next_to_each_other_differ_however_high_they_are() throws UnreadableRange {
        WantedFilter filter = new WantedFilter(WantedJobs.ALL.accepting(Map.of("a", VersionRange.parse("2025.x"))));
        assertThat(filter.hasMark(TypeHash.of("a", new JobVersion(2024, 3)))).isFalse();
        assertThat(filter.hasMark(TypeHash.of("a", new JobVersion(2026, 3)))).isFalse();
    }

    @Test
    void a_filter_of_types_knows_them_with_and_without_versions() {
        JobVersion version = new JobVersion(3, 1);
        WantedFilter only = new WantedFilter(WantedJobs.only(List.of("a")));
        WantedFilter allBut = new WantedFilter(WantedJobs.allBut(List.of("a")));
        for (int mark :
                new int[] {TypeHash.of("a", null), TypeHash.of("a", version), TypeHash.of("a", JobVersion.OTHER)}) {
            assertThat(only.hasMark(mark)).isTrue();
            assertThat(allBut.hasMark(mark)).isFalse();
        }
        assertThat(only.hasMark(TypeHash.of("b", version))).isFalse();
        assertThat(allBut.hasMark(TypeHash.of("b", version))).isTrue();
    }

    @Test
    void numbers_are_in_the_order_of_ranks() {
        long most = (1L << 41) - 1;
        int mark = TypeHash.of("a", JobVersion.OTHER);
        long[] ranks = {0, 1, 2, 1L << 40, most};
        for (int i = 0; i < ranks.length; i++) {
            long number = TypeHash.number(ranks[i], mark);
            assertThat(TypeHash.rank(number)).isEqualTo(ranks[i]);
            assertThat(TypeHash.mark(number)).isEqualTo(mark);
            if (i > 0) assertThat(number).isGreaterThan(TypeHash.number(ranks[i - 1], mark));
        }
    }
}
