package io.floodgate.standalone.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
final class PlannedStopTest {
    @TempDir
    Path data;

    @Test
    void a_processor_that_is_stopped_leaves_its_group_at_once_so_that_others_need_not_wait_for_its_session()
            throws Exception {
        try (Processing processing = new Processing(data)) {
            processing.start();
            processing.enqueue(10);

            processing.stop();

            assertThat(processing
                            .admin
                            .describeConsumerGroups(List.of(Processing.GROUP))
                            .all()
                            .get()
                            .get(Processing.GROUP)
                            .members())
                    .isEmpty();
            processing.start();
            processing.awaitProcessed();
            assertThat(processing.enqueued()).isEqualTo(10);
        }
    }
}
