package io.floodgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The time of a test, and what is due by it. */
final class TestClockTest {
    private static final Instant START = Instant.parse("2026-02-13T10:00:00Z");

    private final InMemoryFloodgate floodgate = new InMemoryFloodgate();
    private final Producer producer = floodgate.producer();
    private final List<Instant> runs = new ArrayList<>();

    TestClockTest() {
        floodgate.freezeTime(START);
        floodgate.handle("reminder.send", context -> runs.add(floodgate.clock().instant()));
    }

    @Test
    void a_delayed_job_runs_once_the_clock_has_moved() throws Exception {
        producer.enqueue(Job.of("reminder.send", "delay").delay(Duration.ofDays(1)));
        producer.enqueue(Job.of("reminder.send", "at").at(START.plus(Duration.ofDays(2))));

        assertThat(floodgate.drain()).isZero();
        floodgate.assertEnqueued("reminder.send", "delay");
        floodgate.advanceTime(Duration.ofDays(1).minusMillis(1));
        assertThat(floodgate.drain()).isZero();
        floodgate.advanceTime(Duration.ofMillis(1));
        assertThat(floodgate.drain()).isEqualTo(1);
        floodgate.freezeTime(START.plus(Duration.ofDays(2)));
        assertThat(floodgate.drain()).isEqualTo(1);

        floodgate.assertCompleted(ExpectedJobs.of("reminder.send").count(2));
        assertThat(runs).containsExactly(START.plus(Duration.ofDays(1)), START.plus(Duration.ofDays(2)));
    }

    @Test
    void a_failed_job_waits_for_its_backoff() throws Exception {
        floodgate.failNext("reminder.send", new IllegalStateException("connection refused"));
        String id = producer.enqueue(Job.of("reminder.send").with("retry", backoff("PT1M")))
                .id();

        assertThat(floodgate.drain()).isEqualTo(1);
        floodgate.assertFailed("reminder.send");
        floodgate.assertJobState(id, "retryable");
        assertThat(floodgate.drain()).isZero();
        floodgate.advanceTime(Duration.ofMinutes(1));
        assertThat(floodgate.drain()).isEqualTo(1);

        JsonNode job = floodgate.job(id).orElseThrow();
        assertThat(job.path("state").asString()).isEqualTo("completed");
        assertThat(job.path("attempt").asInt()).isEqualTo(2);
        assertThat(job.at("/errors/0/message").asString()).isEqualTo("connection refused");
    }

    @Test
    void a_drain_with_scheduled_jobs_moves_the_clock_through_delays_and_retries() throws Exception {
        floodgate.failNext("reminder.send", new IllegalStateException("first"));
        floodgate.failNext("reminder.send", new IllegalStateException("second"));
        producer.enqueue(Job.of("reminder.send").delay(Duration.ofDays(1)).with("retry", backoff("PT1M")));

        assertThat(floodgate.drain(Drain.ALL.withScheduledJobs())).isEqualTo(3);

        floodgate.assertCompleted("reminder.send");
        Instant end = START.plus(Duration.ofDays(1)).plus(Duration.ofMinutes(3));
        assertThat(runs).containsExactly(end);
        assertThat(floodgate.clock().instant()).isEqualTo(end);
    }

    @Test
    void a_drain_of_a_queue_does_not_move_the_clock_for_others() throws Exception {
        producer.enqueue(Job.of("reminder.send").queue("later").delay(Duration.ofDays(1)));
        producer.enqueue(Job.of("unknown").queue("now").delay(Duration.ofDays(1)));

        assertThat(floodgate.drain(Drain.ALL.queue("now").withScheduledJobs())).isZero();
        assertThat(floodgate.clock().instant()).isEqualTo(START);
    }

    @Test
    void a_job_that_schedules_itself_again_ends_with_the_number_of_jobs() throws Exception {
        Duration day = Duration.ofDays(1);
        floodgate.handle("daily", context -> {
            runs.add(floodgate.clock().instant());
            return producer.submit(Job.of("daily").delay(day));
        });
        producer.submit(Job.of("daily"));

        assertThat(floodgate.drain(Drain.ALL.withScheduledJobs().maxJobs(3))).isEqualTo(3);
        assertThat(runs).containsExactly(START, START.plus(day), START.plus(day).plus(day));
    }

    @Test
    void a_job_whose_runs_all_fail_is_discarded() throws Exception {
        floodgate.failAll("reminder.send", new IllegalStateException("connection refused"));
        String id = producer.enqueue(Job.of("reminder.send").with("retry", backoff("PT1S")))
                .id();

        assertThat(floodgate.drain(Drain.ALL.withScheduledJobs())).isEqualTo(3);

        floodgate.assertJobState(id, "discarded");
        floodgate.assertFailed("reminder.send");
        assertThat(runs).isEmpty();
        assertThat(floodgate.events())
                .extracting(event -> event.path("type").asString())
                .contains("job.retrying", "job.discarded");
    }

    @Test
    void a_job_that_has_expired_does_not_run() throws Exception {
        String id = producer.enqueue(Job.of("reminder.send").expiresAt(START.plusSeconds(60)))
                .id();

        floodgate.advanceTime(Duration.ofMinutes(2));

        assertThat(floodgate.drain()).isZero();
        floodgate.assertJobState(id, "discarded");
    }

    @Test
    void an_attempt_finds_what_the_one_before_has_kept() throws Exception {
        floodgate.handle("import", context -> {
            int row = context.lastCheckpoint()
                    .map(state -> state.path("row").asInt())
                    .orElse(0);
            context.checkpoint(Map.of("row", row + 100));
            if (row == 0) throw new IllegalStateException("broken");
            return row;
        });
        String id = producer.enqueue(Job.of("import")).id();

        floodgate.drain(Drain.ALL.withScheduledJobs());

        assertThat(floodgate.job(id).orElseThrow().path("result").asInt()).isEqualTo(100);
    }

    @Test
    void a_handler_that_moves_the_clock_keeps_its_job_until_its_time_out() throws Exception {
        floodgate.handle("slow", context -> {
            floodgate.advanceTime(Duration.ofMinutes(context.args().get(0).asInt()));
            return null;
        });
        producer.enqueue(Job.of("slow", 29));
        assertThat(floodgate.drain()).isEqualTo(1);
        floodgate.assertCompleted("slow", 29);

        String id = producer.enqueue(Job.of("slow", 31).with("retry", Map.of("max_attempts", 1)))
                .id();
        assertThat(floodgate.drain()).isEqualTo(1);
        floodgate.assertJobState(id, "discarded");
    }

    @Test
    void a_job_is_remembered_when_a_server_would_have_forgotten_it() throws Exception {
        producer.enqueue(Job.of("reminder.send"));
        floodgate.drain();

        floodgate.advanceTime(Duration.ofDays(365));

        floodgate.assertCompleted("reminder.send");
    }

    @Test
    void the_clock_goes_back_only_where_there_are_no_jobs() throws Exception {
        producer.enqueue(Job.of("reminder.send"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> floodgate.freezeTime(START.minusSeconds(1)))
                .withMessageContaining("there are jobs");

        floodgate.clear();
        floodgate.freezeTime(START.minusSeconds(1));
        producer.enqueue(Job.of("reminder.send"));
        floodgate.drain();
        assertThat(runs).containsExactly(START.minusSeconds(1));
    }

    private static Map<String, Object> backoff(String first) {
        return Map.of("initial_interval", first, "jitter", false);
    }
}
