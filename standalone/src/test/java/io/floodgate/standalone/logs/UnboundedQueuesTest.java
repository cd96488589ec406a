package io.floodgate.standalone.logs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.queue.QueueConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** OJS backpressure §6.3: queues without bounds are a known risk; a processor warns of them at its start. */
@Tag("server")
final class UnboundedQueuesTest {
    private static final Logger LOGGER =
            (Logger) LoggerFactory.getLogger("io.floodgate.processor.topology.OpenPartition");

    @TempDir
    Path data;

    @Test
    void are_named_in_a_warning_at_the_start() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start();
            processing.enqueue(1);
            processing.ask(new ConfigureQueue("bounded", new QueueConfig(10L, null, null, null), Set.of()));
            processing.awaitProcessed();
            processing.stop();

            assertThat(warningsOf(processing))
                    .singleElement()
                    .asString()
                    .contains("1 queue(s) without a bound", ": default.");

            processing.ask(new ConfigureQueue("default", new QueueConfig(10L, null, null, null), Set.of()));
            processing.stop();

            assertThat(warningsOf(processing)).isEmpty();
        }
    }

    private static List<String> warningsOf(Processing processing) throws InterruptedException {
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        Level before = LOGGER.getLevel();
        LOGGER.setLevel(Level.WARN);
        LOGGER.addAppender(seen);
        seen.start();
        try {
            processing.start();
        } finally {
            LOGGER.detachAppender(seen);
            LOGGER.setLevel(before);
        }
        return seen.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
