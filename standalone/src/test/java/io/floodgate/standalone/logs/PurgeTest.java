package io.floodgate.standalone.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.command.PartitionSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class PurgeTest {
    private static final long MARGIN = 100;

    @TempDir
    Path data;

    @Test
    void what_is_processed_is_deleted_but_for_a_margin_and_only_when_it_is_much() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start(new Logs(PartitionSettings.INITIAL, MARGIN, 0));
            processing.enqueue(1_000);
            processing.awaitProcessed();
            processing.processor().purge();
            assertThat(processing.begin()).isZero();
            processing.enqueue(10_000);
            processing.awaitProcessed();
            processing.processor().purge();
            long begin = processing.end() - MARGIN;
            assertThat(processing.begin()).isEqualTo(begin);
            processing.enqueue(100);
            processing.awaitProcessed();
            processing.processor().purge();
            assertThat(processing.begin()).isEqualTo(begin);
            assertThat(processing.inspect()).contains("\"alarms\":[]");
        }
    }
}
