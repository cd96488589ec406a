package io.floodgate.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.fault.DiskFault.Done;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks that a report of another damage is not taken for one of the damage that was made. */
final class DiskFaultTest {
    private static final String SEGMENT = "00000000000000000000.log";

    @Test
    void a_segment_is_reported_by_its_partition() {
        Done flipped = flipped("kafka/ojs.commands-1/" + SEGMENT);

        assertThat(flipped.isNamedIn("Bytes 1 to 9 of /data/kafka/ojs.commands-1/%s are damaged".formatted(SEGMENT)))
                .isTrue();
        assertThat(flipped.isNamedIn("Bytes 1 to 9 of /data/kafka/ojs.commands-12/%s are damaged".formatted(SEGMENT)))
                .isFalse();
    }

    @Test
    void another_file_is_reported_by_its_name() {
        assertThat(flipped("streams/stores/000012.sst").isNamedIn("Corruption in /stores/000012.sst"))
                .isTrue();
        assertThat(flipped("streams/stores/000012.sst").isNamedIn("Corruption in /stores/000013.sst"))
                .isFalse();
    }

    private static Done flipped(String file) {
        return new Done("a bit was flipped", Optional.of(Path.of(file)));
    }
}
