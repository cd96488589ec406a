package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INTERNAL_ERROR;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that rules fail on is quarantined: those behind it, and those who wait for them, need not suffer for it. */
class BrokenJobTest extends Commands {
    private final TestPartition log = new TestPartition().unaudited();
    private final MutedLogs muted = MutedLogs.of("io.floodgate.processor");
    private byte[] whole = {};

    @AfterEach
    void loud() {
        muted.close();
    }

    private byte[] key(String job) {
        return Keys.live(Ids.id(job));
    }

    private KeyValues jobs() {
        return log.state().stores().jobs();
    }

    private void breaks(String job) {
        byte[] stored = jobs().get(key(job));
        assertThat(stored).isNotNull();
        whole = stored;
        jobs().put(key(job), new byte[] {1, 1});
    }

    private void isMended(String job) {
        jobs().put(key(job), whole);
    }

    private long quarantine() {
        log.receives(ask(new ListQuarantined(10, null)));
        log.replies().shown().shows("total", 1);
        log.replies().line(1).shows("kind", "job");
        return log.replies().line(1).number("id");
    }

    @Test
    void at_the_head_of_its_queue_does_not_keep_others_from_being_fetched() {
        // given
        log.receives(enqueue("bad"), enqueue("good"));
        breaks("bad");
        // when
        log.receives(fetch().count(2));
        // then
        log.emits("floodgate.processing_failed", "floodgate.quarantined", "floodgate.alarm_raised", "job.started");
        log.replies().jobs("good");
        log.receives(enqueue("next"), fetch()).replies().jobs("next");
    }

    @Test
    void does_not_keep_others_from_being_enqueued_while_a_client_waits() {
        log.receives(
                enqueue("bad"),
                fetch().lease(ofSeconds(10)),
                fetch().waiting(ofHours(1)).as("a"));
        isAvailableAgainAndBroken();
        log.receives(enqueue("good")).replies().shown().is("available");
        log.repliesTo("a").jobs("good");
    }

    /** Its payload is lost: it can be made available, but not be handed out. */
    private void isAvailableAgainAndBroken() {
        log.state().stores().payloads().delete(Keys.payload(Ids.id("bad")));
        log.after(ofSeconds(10));
        log.keepsWaiting("a");
        assertThat(quarantine()).isPositive();
    }

    @Test
    void does_not_keep_watches_waiting() {
        log.receives(enqueue("bad"), fetch("other").waiting(ofHours(1)).as("fetch"));
        breaks("bad");
        log.receives(watch(ofHours(1)).as("watch"), enqueue("good"));
        log.repliesTo("watch").ready(true);
    }

    @Test
    void does_not_keep_other_timers_from_firing_or_others_from_their_retention() {
        log.receives(enqueue("bad").delay(ofSeconds(5)), enqueue("good").delay(ofSeconds(5)));
        breaks("bad");
        log.after(ofSeconds(5)).job("good").is("available");
        log.receives(enqueue("done"), cancel("done"), cancel("good"));
        byte[] finished = Keys.terminal(Ids.id("done"));
        byte[] stored = jobs().get(finished);
        jobs().put(finished, new byte[] {1, 1});
        log.after(ofDays(8));
        assertThat(log.knows("good")).isFalse();
        assertThat(stored).isNotNull();
        log.receives(enqueue("later"), cancel("later")).after(ofDays(8));
        assertThat(log.knows("later")).isFalse();
    }

    @Test
    void does_not_keep_a_lost_workers_other_jobs() {
        log.receives(
                beat("w1"), enqueue("bad"), enqueue("good"), fetch().count(2).by("w1"));
        breaks("bad");
        log.after(ofSeconds(30)).job("good").is("available");
    }

    @Test
    void does_not_keep_other_jobs_from_being_taken_back() {
        log.receives(enqueue("bad"), enqueue("good"), fetch().count(2).as("a"));
        breaks("bad");
        log.receives(withdraw("a", log.lastNumber())).job("good").is("available");
    }

    @Test
    void does_not_hide_the_other_dead_letters() {
        log.receives(enqueue("bad"), enqueue("good"), fetch().count(2));
        log.receives(nack("bad").retryable(false), nack("good").retryable(false));
        jobs().put(Keys.terminal(Ids.id("bad")), new byte[] {1, 1});
        log.receives(listDead(null, 10, null));
        assertThat(log.replies().lines()).hasSize(2);
        log.replies().line(1).isJob("good");
    }

    @Test
    void what_is_asked_of_it_is_rejected() {
        log.receives(enqueue("bad"));
        breaks("bad");
        log.receives(ack("bad")).rejects(INTERNAL_ERROR);
    }

    @Test
    void is_tried_once_more_when_a_client_says_so_and_has_its_old_place() {
        log.receives(enqueue("first"), enqueue("bad"), enqueue("last"));
        breaks("bad");
        log.receives(fetch().count(2)).replies().jobs("first", "last");
        long id = quarantine();
        isMended("bad");
        log.restarts().receives(fetch()).replies().nothing();
        log.receives(enqueue("later"), ask(new RetryQuarantined(id)));
        log.receives(fetch()).replies().jobs("bad");
        log.agreesWithItself();
    }

    @Test
    void goes_to_a_client_that_waits_then() {
        log.receives(enqueue("bad"));
        breaks("bad");
        log.receives(fetch().waiting(ofHours(1)).as("a")).keepsWaiting("a");
        long id = quarantine();
        isMended("bad");
        log.receives(ask(new RetryQuarantined(id)));
        log.repliesTo("a").jobs("bad");
    }

    @Test
    void leaves_nothing_behind_when_it_is_given_up() {
        log.receives(enqueue("good"), enqueue("bad"));
        breaks("bad");
        log.receives(fetch().count(2)).replies().jobs("good");
        log.receives(ask(new DiscardQuarantined(quarantine())));
        assertThat(log.knows("bad")).isFalse();
        log.status("q").shows("depth", 1);
        log.agreesWithItself();
    }

    @Test
    void one_that_can_be_read_is_reported_when_it_is_given_up() {
        log.receives(enqueue("good"), enqueue("bad"));
        log.state().stores().payloads().delete(Keys.payload(Ids.id("bad")));
        log.receives(fetch().count(2)).replies().jobs("good");
        log.receives(ask(new DiscardQuarantined(quarantine())));
        log.event("floodgate.job_given_up").isJob("bad");
        log.status("q").shows("depth", 1);
        log.agreesWithItself();
    }

    @Test
    void stays_out_of_the_way_whatever_is_done_to_it() {
        log.receives(enqueue("bad"));
        breaks("bad");
        log.receives(fetch()).replies().nothing();
        isMended("bad");
        log.receives(cancel("bad")).replies().shown().is("cancelled");
        log.agreesWithItself();
    }

    @Test
    void a_failed_step_is_taken_back_in_memory_as_it_is_in_the_stores() {
        // given
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("bad"), beat("w1"));
        log.receives(fetch("other").by("w1").waiting(ofHours(1)).as("a"));
        log.state().stores().payloads().delete(Keys.payload(Ids.id("bad")));
        // when
        log.receives(fetch().count(3).by("w1"));
        // then
        log.replies().jobs("j1", "j2");
        log.agreesWithItself();
        log.receives(enqueue("o1").to("other"));
        log.repliesTo("a").jobs("o1");
        log.agreesWithItself();
    }
}
