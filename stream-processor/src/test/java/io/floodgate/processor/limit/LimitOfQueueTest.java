package io.floodgate.processor.limit;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The limit of a whole queue as {@code queue:<name>}: what is shown of it, and put over it. */
class LimitOfQueueTest extends PartitionTest {
    private static final Identity OPS = new Identity("ops", null, null);

    private Shown limit(String key) {
        return log.receives(ask(new GetLimit(key))).replies().shown();
    }

    private void overrides(String key, Allowance allowance, @Nullable Instant until) {
        log.receives(ask(new OverrideLimit(key, allowance, until)).sentBy(OPS));
    }

    private static Allowance concurrency(long limit) {
        return new Allowance(limit, null, null);
    }

    private static QueueConfig atMost(long starts, Duration period) {
        return QueueConfig.of(new Allowance(null, new Pace(starts, period), null));
    }

    private void fetches(String... names) {
        log.receives(fetch().count(100));
        log.replies().jobs(names);
    }

    private List<String> listed(int limit, @Nullable String after) {
        log.receives(ask(new ListLimits(limit, after)));
        return log.replies().lines().stream()
                .skip(1)
                .map(line -> line.text("key"))
                .toList();
    }

    @Test
    void is_shown_with_what_has_started() {
        log.receives(bound("q", atMost(2, ofHours(1))), enqueue("a"), enqueue("b"), enqueue("c"));
        fetches("a", "b");
        limit("queue:q")
                .shows("rate.limit", 2)
                .shows("rate.current_count", 2)
                .shows("outstanding", 2)
                .shows("rate.window_resets_at", "2026-01-01T13:00:00.000Z");
        log.receives(ask(new CountLimited(List.of("queue:q"))));
        log.replies().line(1).shows("active", 2).shows("waiting", 1);
    }

    @Test
    void stops_the_queue_when_an_operator_says_so() {
        log.receives(enqueue("a"), enqueue("b"), enqueue("c"));
        log.receives(fetch().count(1)).replies().jobs("a");
        overrides("queue:q", concurrency(0), null);
        log.event("rate_limit.overridden").shows("key", "queue:q").shows("concurrency", 0);
        assertThat(log.events())
                .anySatisfy(
                        event -> event.shows("type", "rate_limit.overridden").shows("by", "ops"));
        limit("queue:q")
                .shows("concurrency", 0)
                .shows("override.concurrency", 0)
                .shows("outstanding", 1);
        log.receives(ack("a"));
        log.restarts();
        fetches();
        log.job("b").shows("limited_by.key", "queue:q").shows("limited_by.limit", 0);
        log.receives(fetch().waiting(ofHours(1)).as("worker")).keepsWaiting("worker");
        log.receives(ask(new EndOverride("queue:q")).sentBy(OPS));
        log.repliesTo("worker").jobs("b");
        log.receives(fetch().count(100)).replies().jobs("c");
        log.receives(ask(new GetLimit("queue:q")));
    }

    @Test
    void says_of_a_job_that_it_is_held_back_and_when_it_starts_for_how_long() {
        log.receives(bound("q", atMost(1, ofMinutes(1))), enqueue("a"), enqueue("b"));
        fetches("a");
        fetches();
        log.job("b").shows("waiting.reason", "rate_limited").shows("limited_by.key", "queue:q");
        log.receives(fetch().waiting(ofHours(1)).as("worker")).after(ofMinutes(1));
        log.repliesTo("worker").jobs("b");
        log.event("job.started").shows("queue_limit.key", "queue:q").shows("queue_limit.waited_ms", 60_000);
    }

    @Test
    void that_is_only_inherited_is_remembered_as_long_as_its_window() {
        log.receives(
                configure(new PartitionSettings(ofMinutes(1), ofMinutes(1), ofMinutes(1), ofMinutes(5), 0)),
                bound("_default", atMost(1, ofHours(24))));
        log.receives(enqueue("a"));
        fetches("a");
        log.receives(ack("a"));
        for (int hour = 0; hour < 5; hour++) log.after(ofHours(1));
        log.receives(enqueue("b"));
        fetches();
        log.after(ofHours(20));
        fetches("b");
    }

    @Test
    void is_overridden_until_a_time() {
        log.receives(bound("q", atMost(1, ofHours(1))), enqueue("a"), enqueue("b"));
        overrides("queue:q", concurrency(0), TestPartition.START.plus(ofMinutes(5)));
        log.receives(fetch().waiting(ofHours(1)).as("worker"))
                .after(ofMinutes(5).minusMillis(1))
                .keepsWaiting("worker");
        log.after(ofMillis(1));
        log.repliesTo("worker").jobs("a");
        log.event("rate_limit.override_ended").shows("key", "queue:q");
        limit("queue:q").shows("rate.limit", 1).hides("override").hides("concurrency");
    }

    @Test
    void is_overridden_together_with_what_jobs_without_a_key_say() {
        Commands.Job job = enqueue("a").member("rate_limit", "{\"concurrency\":0}");
        log.receives(job);
        fetches();
        overrides("queue:q", concurrency(1), null);
        limit("queue:q").shows("concurrency", 1).shows("job_limits.concurrency", 0);
        fetches("a");
    }

    @Test
    void of_no_queue_is_not_overridden() {
        log.receives(ask(new OverrideLimit("queue:tpyo", concurrency(0), null))).rejects(ErrorCode.NOT_FOUND);
        log.receives(ask(new GetLimit("queue:tpyo"))).rejects(ErrorCode.NOT_FOUND);
        log.receives(enqueue("a"));
        log.receives(ask(new GetLimit("queue:q"))).rejects(ErrorCode.NOT_FOUND);
    }

    @Test
    void is_listed_among_the_keys_of_jobs() {
        log.receives(bound("q", atMost(1, ofHours(1))), bound("a", atMost(1, ofHours(1))));
        for (String key : List.of("k", "z", "queue:q"))
            log.receives(enqueue(key).member("rate_limit", "{\"key\":\"%s\",\"concurrency\":1}".formatted(key)));
        assertThat(listed(10, null)).containsExactly("k", "queue:a", "queue:q", "z");
        log.replies().line(0).shows("total", 4);
        assertThat(listed(2, null)).containsExactly("k", "queue:a");
        log.replies().line(0).shows("next", "queue:a");
        assertThat(listed(2, "queue:a")).containsExactly("queue:q", "z");
        log.replies().line(0).hides("next");
        assertThat(listed(2, "queue:q")).containsExactly("z");
    }

    @Test
    void shows_why_it_is_frozen() {
        log.receives(enqueue("a"), enqueue("b"));
        log.receives(fetch()).replies().jobs("a");
        Instant until = TestPartition.START.plusSeconds(30);
        log.receives(nack("a").error(new ErrorReport("x", "x", "429", null, new byte[] {'{', '}'}, until)));
        limit("queue:q").shows("frozen_until", "2026-01-01T12:00:30.000Z").shows("frozen_reason", "429");
        log.restarts();
        limit("queue:q").shows("frozen_reason", "429");
    }

    @Test
    void ends_with_the_queue() {
        log.receives(enqueue("a"));
        overrides("queue:q", concurrency(0), null);
        log.receives(delete("q", Deletion.DISCARD));
        log.receives(tick());
        log.event("rate_limit.override_ended").shows("key", "queue:q");
        log.receives(enqueue("b"));
        fetches("b");
    }
}
