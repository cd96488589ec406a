package io.floodgate.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.broker.MetadataLog.Registration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a broker that was killed with SIGKILL. */
@Tag("server")
final class FormerLifeTest {
    /** How long the controller rejects a broker while a former life of it may be alive. */
    private static final Duration SESSION = Duration.ofSeconds(9);

    @TempDir
    Path data;

    @BeforeEach
    void kill_a_broker() throws Exception {
        try (var process = BrokerProcess.start(data);
                var client = new BrokerClient(process.bootstrap())) {
            client.createTopic("jobs");
            client.write("jobs", "before");
            process.kill();
        }
        assertThat(FormerLife.wasKilled(data)).isTrue();
    }

    @Test
    void ends_once() throws Exception {
        var alive = metadata();

        FormerLife.end(data);
        var ended = metadata();
        FormerLife.end(data);

        assertThat(alive.registration()).map(Registration::fenced).contains(false);
        assertThat(ended.registration()).map(Registration::fenced).contains(true);
        assertThat(ended.registration())
                .map(Registration::epoch)
                .isEqualTo(alive.registration().map(Registration::epoch));
        assertThat(ended.endOffset()).isEqualTo(alive.endOffset() + 1);
        assertThat(metadata()).isEqualTo(ended);
    }

    @Test
    void a_batch_of_which_only_the_beginning_was_written_does_not_matter() throws Exception {
        var whole = metadata();
        Files.write(whole.segment(), Arrays.copyOf(whole.fence(1).array(), 40), StandardOpenOption.APPEND);
        assertThat(metadata()).isEqualTo(whole);

        startsWithinASession();

        assertThat(metadata().endOffset()).isGreaterThan(whole.endOffset());
    }

    @Test
    void the_next_life_need_not_wait() throws Exception {
        startsWithinASession();
    }

    /** What cannot be read is Kafka's to deal with. */
    @Test
    void an_empty_log_is_left_alone() throws Exception {
        Files.write(metadata().segment(), new byte[0]);

        FormerLife.end(data);

        assertThat(Files.size(data.resolve("__cluster_metadata-0/00000000000000000000.log")))
                .isZero();
    }

    private void startsWithinASession() throws Exception {
        var begun = System.nanoTime();
        try (var broker = EmbeddedBroker.start(BrokerConfig.in(data));
                var client = new BrokerClient(broker.bootstrap())) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SESSION);
            assertThat(client.read("jobs")).containsExactly("before");
        }
    }

    private MetadataLog metadata() throws IOException {
        return MetadataLog.read(data.resolve("__cluster_metadata-0"));
    }
}
