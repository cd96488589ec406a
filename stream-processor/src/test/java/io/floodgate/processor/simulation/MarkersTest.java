package io.floodgate.processor.simulation;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mutants and the markers of what they change belong together. It takes a second; {@link MutantTest} takes minutes. */
class MarkersTest {
    private final Markers markers = Markers.all();

    @TempDir
    Path project;

    @Test
    void every_mutant_has_one_marker() {
        SoftAssertions.assertSoftly(all -> {
            for (Mutant mutant : MutantTest.mutants())
                all.assertThatCode(() -> markers.of(mutant.marker())).doesNotThrowAnyException();
        });
    }

    @Test
    void every_marker_has_a_mutant() {
        TreeSet<String> unused = new TreeSet<>(markers.byName().keySet());
        unused.removeAll(MutantTest.mutants().stream().map(Mutant::marker).collect(toCollection(TreeSet::new)));
        assertThat(unused)
                .as(
                        "markers that no mutant refers to: add a mutant to Mutants, LimitMutants, KeyMutants or OrderMutants, or"
                                + " remove the line")
                .isEmpty();
    }

    @Test
    void every_marker_is_a_line_of_its_own() {
        assertThat(markers.malformed())
                .as("a marker is a line '// mutant: some-name' above the code, with nothing else in the line")
                .isEmpty();
    }

    @Test
    void what_is_missing_or_there_twice_is_said() throws IOException {
        Path sources = Files.createDirectories(project.resolve("queue/src/main/java"));
        Files.writeString(
                sources.resolve("A.java"), "class A {\n    // mutant: twice\n    int a; // mutant: not-alone\n}\n");
        Files.writeString(sources.resolve("B.java"), "class B {\n    // mutant: twice\n    int b;\n}\n");
        Markers found = new Markers(project);
        assertThatThrownBy(() -> found.of("gone")).hasMessageContaining("No line '// mutant: gone' in the sources");
        assertThatThrownBy(() -> found.of("twice"))
                .hasMessageContaining("there 2 times")
                .hasMessageContaining("A.java:2")
                .hasMessageContaining("B.java:2");
        assertThat(found.malformed())
                .singleElement()
                .asString()
                .contains("A.java:3")
                .contains("not-alone");
    }

    @Test
    void every_mutant_changes_its_marked_code() {
        SoftAssertions.assertSoftly(all -> {
            for (Mutant mutant : MutantTest.mutants()) {
                String before = markers.of(mutant.marker()).text();
                String after = mutant.mutatedSource();
                all.assertThat(after).as("what '%s' makes of it", mutant).isNotEqualTo(before);
                all.assertThat(new SourceCode(after).isWellFormed())
                        .as("'%s' makes Java of Java", mutant)
                        .isTrue();
            }
        });
    }
}
