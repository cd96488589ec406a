package io.floodgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.worker.JobFailure;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/** As users write theirs: workers with handlers of their own, and what becomes of jobs. */
@Tag("server")
@ExtendWith(FloodgateExtension.class)
final class FloodgateExtensionTest {
    @Test
    void a_job_is_run_by_a_worker_of_the_test(TestFloodgate floodgate, TestReporter reporter) {
        floodgate.start(floodgate
                .worker("email")
                .handle("email.send", context -> Map.of("to", context.args().get(0))));

        String id = floodgate.enqueue("email", "email.send", "ada@example.com");

        assertThat(floodgate.awaitCompleted(id).at("/result/to").asString()).isEqualTo("ada@example.com");
        long uptime = ManagementFactory.getRuntimeMXBean().getUptime();
        reporter.publishEntry("milliseconds from the start of the JVM to the end of a job", Long.toString(uptime));
    }

    @Test
    void a_job_that_fails_for_good_is_discarded(TestFloodgate floodgate) {
        floodgate.start(floodgate.worker("email").handle("email.send", context -> {
            throw JobFailure.permanent("BadAddress", "ada is no address");
        }));

        String id = floodgate.enqueue("email", "email.send", "ada");

        assertThat(floodgate.awaitDiscarded(id).toString()).contains("ada is no address");
    }

    @Test
    void queues_are_those_of_the_test_alone(TestFloodgate floodgate) {
        assertThat(floodgate.jobs("email")).isEmpty();
        floodgate.enqueue("email", Map.of("type", "email.send", "args", List.of(), "priority", 7));

        assertThat(floodgate
                        .awaitEnqueued("email", "email.send")
                        .path("priority")
                        .asInt())
                .isEqualTo(7);
    }

    @Test
    void a_wait_in_vain_says_what_the_server_knows(TestFloodgate floodgate) {
        String id = floodgate.enqueue("nothing-polls", "email.send");

        assertThatThrownBy(() -> floodgate.awaitCompleted(id, Duration.ofMillis(10)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("Expected job " + id, "to be completed within 10 ms", "it is 'available'");
        assertThatThrownBy(() -> floodgate.awaitEnqueued("nothing-polls", "invoice.pay", Duration.ZERO))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("of type 'invoice.pay'", "but found [email.send]");
    }

    @Test
    void a_job_that_ends_otherwise_fails_the_wait_at_once(TestFloodgate floodgate) {
        floodgate.start(floodgate.worker("email").handle("email.send", context -> Map.of()));
        String id = floodgate.enqueue("email", "email.send");

        assertThatThrownBy(() -> floodgate.awaitDiscarded(id, Duration.ofDays(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("to be discarded, but it is 'completed' after 1 of 3 attempts");
    }
}
