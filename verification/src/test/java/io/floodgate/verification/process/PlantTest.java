package io.floodgate.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that are planted fit the sources as they are now. */
final class PlantTest {
    @ParameterizedTest
    @EnumSource
    void is_compiled(Plant plant, @TempDir Path directory) throws Exception {
        plant.compile(directory);

        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files).anyMatch(file -> file.toString().endsWith(".class"));
        }
    }
}
