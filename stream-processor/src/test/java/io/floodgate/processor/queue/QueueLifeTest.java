package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.command.ErrorCode.QUEUE_DRAINING;
import static io.floodgate.topics.command.ErrorCode.QUEUE_NOT_FOUND;
import static io.floodgate.topics.queue.Deletion.DISCARD;
import static io.floodgate.topics.queue.Deletion.DRAIN;
import static io.floodgate.topics.queue.Deletion.REJECT;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How queues come into being, and how they end. */
class QueueLifeTest extends PartitionTest {
    private static final QueueConfig THREE = new QueueConfig(3L, null, Overflow.BLOCK, null);

    /** As long as there is work, ticks follow one another. */
    private void works() {
        for (int ticks = 0;
                log.engine().nextTimer() != null && !log.engine().nextTimer().isAfter(log.now());
                ticks++) {
            log.receives(tick());
            assertThat(ticks).isLessThan(10_000);
        }
    }

    private void enqueues(int jobs) {
        for (int i = 0; i < jobs; i++) log.receives(enqueue("j" + i));
    }

    // ---- birth

    @Test
    void none_is_made_with_bounds_of_more_tenants_than_can_be_changed_later() {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i <= TenantBounds.MOST; i++) many.put("t" + i, 1L);
        log.receives(makeQueue("q", QueueConfig.of(new TenantBounds(many)))).rejects(INVALID_PAYLOAD);
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void an_operator_makes_a_queue_before_its_first_job() {
        log.receives(makeQueue("q", THREE)).emits("queue.created");
        log.event("queue.created")
                .shows("implicit", false)
                .showsJson("config", "{\"max_depth\":3,\"strategy\":\"block\"}");
        log.replies().shown().is("active").shows("explicit", true).shows("created_at", log.now());
        log.restarts()
                .status("q")
                .shows("explicit", true)
                .showsJson("config", "{\"max_depth\":3,\"strategy\":\"block\"}");
    }

    @Test
    void one_that_its_first_job_has_made_is_not_explicit() {
        log.receives(enqueue("j")).event("queue.created").shows("implicit", true);
        log.status("q").hides("explicit");
    }

    @Test
    void a_queue_that_is_there_cannot_be_made_again_a_client_that_has_made_it() {
        log.receives(makeQueue("made", QueueConfig.NONE), makeQueue("made", QueueConfig.NONE))
                .rejects(CONFLICT)
                .with("queue", "made");
        log.receives(enqueue("j"), makeQueue("q", QueueConfig.NONE))
                .rejects(CONFLICT)
                .with("queue", "q");
    }

    @Test
    void no_client_makes_a_queue_of_a_name_that_none_can_have() {
        log.receives(makeQueue("_default", QueueConfig.NONE)).rejects(INVALID_QUEUE);
    }

    @Test
    void one_that_an_operator_has_made_is_not_forgotten() {
        log.receives(
                configure(new PartitionSettings(Duration.ofDays(1), ofDays(1), ofDays(1), ofHours(1), 0)),
                makeQueue("q", QueueConfig.NONE));
        log.after(ofDays(30));
        assertThat(log.engine().queueNames()).containsExactly("q");
    }

    @Test
    void where_only_operators_make_queues_a_job_for_an_unknown_one_is_rejected() {
        log.receives(enqueue("before").to("old"), configure(PartitionSettings.INITIAL.withStrictQueues()));
        log.receives(enqueue("j")).rejects(QUEUE_NOT_FOUND).with("queue", "q");
        assertThat(log.replies().message()).contains("POST /ojs/v1/queues");
        log.receives(batch(enqueue("j1").to("old"), enqueue("j2"))).rejects(QUEUE_NOT_FOUND);
        log.receives(pause("q")).rejects(QUEUE_NOT_FOUND);
        assertThat(log.engine().queueNames()).containsExactly("old");
        // when
        log.receives(makeQueue("q", QueueConfig.NONE), enqueue("j"))
                .replies()
                .shown()
                .is("available");
        log.receives(enqueue("j3").to("old")).replies().shown().is("available");
        log.receives(bound("declared", THREE), enqueue("j4").to("declared"))
                .replies()
                .shown()
                .is("available");
        log.restarts().receives(enqueue("j5").to("other")).rejects(QUEUE_NOT_FOUND);
    }

    // ---- reject

    @Test
    void a_queue_without_unfinished_jobs_is_deleted_at_once() {
        log.receives(enqueue("j"), fetch(), ack("j"));
        log.receives(delete("q", REJECT)).emits("queue.draining", "queue.deleted");
        log.replies()
                .shown()
                .shows("queue", "q")
                .shows("strategy", "reject")
                .shows("jobs_affected", 0)
                .shows("state", "deleted");
        log.event("queue.deleted")
                .shows("queue", "q")
                .shows("strategy", "reject")
                .shows("jobs_affected", 0);
        assertThat(log.engine().queueNames()).isEmpty();
        assertThat(log.changedQueues()).containsExactly("q");
        assertThat(log.engine().status("q")).isEmpty();
        log.receives(getQueue("q")).replies().shown().hides("created_at");
    }

    @Test
    void one_with_unfinished_jobs_of_any_kind_is_not() {
        log.receives(enqueue("j").pending(), delete("q", REJECT))
                .rejects(CONFLICT)
                .with("depth", 1);
        log.status("q").is("active").hides("deletion");
        log.receives(cancel("j"), delete("q", REJECT)).replies().shown().shows("state", "deleted");
    }

    @Test
    void what_is_not_there_cannot_be_deleted() {
        log.receives(delete("q", DISCARD)).rejects(NOT_FOUND).with("resource_type", "queue");
        log.receives(makeQueue("q", QueueConfig.NONE), delete("q", DISCARD), delete("q", DISCARD))
                .rejects(NOT_FOUND);
    }

    @Test
    void what_has_finished_can_be_looked_at_until_its_retention_is_over_and_then_nothing_is_left() {
        log.receives(enqueue("j"), fetch(), ack("j"), delete("q", REJECT)).restarts();
        log.job("j").is("completed").shows("queue", "q");
        log.after(ofDays(8));
        assertThat(log.knows("j")).isFalse();
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @Test
    void the_name_is_free_for_a_new_queue_with_a_version_above_any_before() {
        log.receives(makeQueue("q", THREE), enqueue("j"), fetch(), ack("j"));
        long before = log.status("q").number("version");
        log.receives(delete("q", REJECT)).sleeps(ofMillis(5));
        log.receives(enqueue("again")).emits("queue.created", "job.enqueued");
        assertThat(log.status("q").number("version")).isGreaterThan(before);
        log.status("q")
                .hides("explicit")
                .showsJson("config", "{}")
                .shows("created_at", log.now())
                .shows("available", 1);
    }

    // ---- discard

    @Test
    void discarding_ends_every_unfinished_job_slice_by_slice_and_active_ones_lose_their_lease() {
        log.receives(enqueue("running"), fetch().by("w"));
        enqueues(250);
        log.receives(
                enqueue("later").delay(ofHours(1)),
                enqueue("pending").pending(),
                enqueue("other").to("other"),
                delete("q", DISCARD));
        log.replies().shown().shows("jobs_affected", 253).shows("state", "draining");
        log.status("q")
                .is("draining")
                .showsJson("deletion.strategy", "\"discard\"")
                .shows("depth", 253);
        log.receives(tick()).status("q").shows("depth", 153);
        // when
        works();
        // then
        assertThat(log.engine().queueNames()).containsExactly("other");
        for (String job : new String[] {"running", "j0", "j249", "later", "pending"})
            log.job(job).is("discarded").showsJson("error.type", "\"queue_deleted\"");
        log.job("other").is("available");
        log.receives(ack("running").by("w")).rejects(CONFLICT).with("current_state", "discarded");
        log.receives(extend("w", null, "running")).replies().shown().showsJson("extended", "[]");
        log.agreesWithItself();
    }

    @Test
    void each_discarded_job_and_the_queue_are_reported() {
        log.receives(enqueue("j"), delete("q", DISCARD));
        log.receives(tick()).emits("job.discarded", "queue.deleted");
        log.event("job.discarded").showsJson("last_error.type", "\"queue_deleted\"");
        log.event("queue.deleted").shows("strategy", "discard").shows("jobs_affected", 1);
    }

    @Test
    void nothing_is_handed_out_of_a_queue_whose_jobs_are_discarded() {
        log.receives(enqueue("j"), delete("q", DISCARD), fetch()).replies().nothing();
    }

    @Test
    void a_discarded_job_that_is_wanted_after_all_makes_a_queue_of_that_name_again() {
        log.receives(enqueue("j"), delete("q", DISCARD), tick());
        log.receives(retryDead("j")).emits("queue.created", "dead_letter.retried");
        log.status("q").shows("available", 1);
        log.receives(delete("q", DISCARD), tick(), configure(PartitionSettings.INITIAL.withStrictQueues()));
        log.receives(retryDead("j")).rejects(QUEUE_NOT_FOUND);
    }

    // ---- draining

    @Test
    void nothing_enters_a_queue_that_drains_and_workers_go_on_until_it_is_empty() {
        log.receives(enqueue("j1").maxAttempts(2), enqueue("j2"), delete("q", DRAIN));
        log.replies()
                .shown()
                .shows("strategy", "drain")
                .shows("jobs_affected", 2)
                .shows("state", "draining");
        log.receives(enqueue("j3")).rejects(QUEUE_DRAINING).with("queue", "q");
        log.receives(batch(enqueue("a").to("other"), enqueue("j3"))).rejects(QUEUE_DRAINING);
        assertThat(log.knows("a")).isFalse();
        // a retry of its own stays in
        log.receives(fetch(), nack("j1")).job("j1").is("retryable");
        log.receives(fetch(), ack("j2")).status("q").is("draining").shows("depth", 1);
        log.restarts().after(ofMinutes(1)).receives(fetch()).replies().jobs("j1");
        log.receives(ack("j1")).emits("job.completed", "queue.deleted");
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void producers_that_wait_for_room_are_rejected_when_it_begins_to_drain() {
        log.receives(bound(1, Overflow.BLOCK), enqueue("j"));
        for (int i = 0; i < 120; i++)
            log.receives(patient(ofMinutes(5), enqueue("w" + i)).as("p" + i));
        log.keepsWaiting("p0", "p119");
        log.receives(delete("q", DRAIN));
        works();
        log.repliesTo("p0").rejected(QUEUE_DRAINING);
        log.repliesTo("p119").rejected(QUEUE_DRAINING);
        log.receives(patient(ofMinutes(5), enqueue("late"))).rejects(QUEUE_DRAINING);
        log.receives(fetch(), ack("j"));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void a_paused_queue_goes_on_when_it_is_to_drain() {
        log.receives(enqueue("j"), pause("q"));
        log.receives(delete("q", DRAIN)).emits("queue.resumed", "queue.draining");
        log.receives(fetch()).replies().jobs("j");
    }

    @Test
    void nothing_is_decided_any_more_about_a_queue_that_drains() {
        log.receives(enqueue("j"), delete("q", DRAIN));
        log.receives(pause("q")).rejects(CONFLICT).with("current_state", "draining");
        log.receives(resume("q")).rejects(CONFLICT);
        log.receives(bound("q", THREE)).rejects(CONFLICT);
        log.receives(makeQueue("q", THREE)).rejects(CONFLICT);
    }

    @Test
    void a_second_deletion_says_how_far_it_is_and_one_that_drains_can_still_be_discarded() {
        log.receives(enqueue("j1"), enqueue("j2"), delete("q", DRAIN), fetch(), ack("j1"), delete("q", REJECT));
        log.replies()
                .shown()
                .shows("strategy", "drain")
                .shows("jobs_affected", 2)
                .shows("jobs_left", 1)
                .shows("state", "draining");
        log.receives(delete("q", DISCARD))
                .replies()
                .shown()
                .shows("strategy", "discard")
                .shows("jobs_affected", 1);
        log.receives(delete("q", DRAIN)).replies().shown().shows("strategy", "discard");
        works();
        log.job("j2").is("discarded");
        assertThat(log.engine().queueNames()).isEmpty();
    }
}
