package io.floodgate.processor.partition;

import static io.floodgate.topics.command.ErrorCode.INTERNAL_ERROR;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.ForwardingKeyValues;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.PartitionCommand;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.ReplyTo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rule that throws would throw at every replay: it is rejected as a whole. A store that fails is another matter. */
class RuleFailureTest extends Commands {
    private static final Routing ROUTING = new Routing(1);
    private static final PartitionId ID = ROUTING.logs().getFirst();

    private int scans;
    private byte @Nullable [] cursed;
    private Supplier<RuntimeException> curse = () -> new IllegalStateException("cursed");
    private final TestPartition log = new TestPartition(
                    ID,
                    ROUTING,
                    stores -> new Stores(
                            new Cursed(stores.payloads()), new Cursed(stores.jobs()), new Cursed(stores.entities())))
            .unaudited();

    /** Reading or writing the cursed key throws. */
    private final class Cursed extends ForwardingKeyValues {
        private Cursed(KeyValues base) {
            super(base);
        }

        private void touch(byte[] key) {
            if (Arrays.equals(key, cursed)) throw curse.get();
        }

        @Override
        public byte @Nullable [] get(byte[] key) {
            touch(key);
            return base.get(key);
        }

        @Override
        public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            scans++;
            base.scan(from, to, visitor);
        }

        @Override
        public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            scans++;
            base.scanBack(from, to, visitor);
        }
    }

    private static Map<String, String> butQuarantined(TestPartition log) {
        Map<String, String> entries = log.state().entriesButPosition();
        entries.keySet().removeIf(key -> key.startsWith("entities/59"));
        return entries;
    }

    private void curse(String job) {
        cursed = Keys.live(Ids.id(job));
    }

    private final MutedLogs silence = MutedLogs.of("io.floodgate.processor");

    @AfterEach
    void loud() {
        silence.close();
    }

    @Test
    void the_command_is_rejected_and_nothing_changes() {
        // given
        log.receives(enqueue("j1"), enqueue("j2"), fetch());
        var before = log.state().entriesButPosition();
        // when
        curse("j1");
        log.sleeps(ofSeconds(1)).receives(ack("j1"));
        // then
        log.rejects(INTERNAL_ERROR).with("log", "ojs.commands/0").with("offset", 3);
        assertThat(butQuarantined(log)).isEqualTo(before);
        assertThat(log.changedQueues()).isEmpty();
    }

    @Test
    void the_failure_is_an_event() {
        log.receives(enqueue("j1"));
        curse("j1");
        log.receives(ack("j1")).emits("floodgate.processing_failed", "floodgate.quarantined", "floodgate.alarm_raised");
        log.event("floodgate.processing_failed")
                .shows("log", "ojs.commands/0")
                .shows("offset", 1)
                .shows("what", "ack")
                .shows("failure", "IllegalStateException");
    }

    @Test
    void a_producer_whose_turn_fails_is_quarantined_and_the_next_one_comes_in() {
        // given
        log.receives(bound(1, BLOCK), enqueue("j1"));
        log.receives(
                patient(ofHours(1), enqueue("bad")).as("bad"),
                patient(ofHours(1), enqueue("good")).as("good"));
        // when
        cursed = firstProducer();
        String number = Long.toString(Keys.numberAtEnd(firstProducer()));
        log.receives(fetch(), ack("j1"));
        // then
        log.replies().shown().is("completed");
        log.repliesTo("good").line(0).is("available");
        log.keepsWaiting("bad");
        var aside = log.receives(ask(new ListQuarantined(10, null))).replies().line(1);
        aside.shows("kind", "producer").shows("subject", number);
        log.restarts();
        log.keepsWaiting("bad").status("q").shows("blocked", 0);
        // when
        cursed = null;
        log.receives(ask(new RetryQuarantined(aside.number("id"))));
        log.status("q").shows("blocked", 1);
        log.receives(cancel("good"));
        // then
        log.repliesTo("bad").line(0).is("available");
    }

    @Test
    void behind_a_producer_that_is_quarantined_because_its_time_fails_the_next_one_comes_in() {
        List<byte[]> two = List.of(enqueue("b1").json(), enqueue("b2").json());
        log.receives(
                bound(2, BLOCK),
                enqueue("j1"),
                ask(new EnqueueBatch(two, false, ofSeconds(10))).as("bad"),
                patient(ofHours(1), enqueue("good")).as("good"));
        log.keepsWaiting("good");
        cursed = firstProducer();
        log.sleeps(ofSeconds(11)).receives(tick());
        log.keepsWaiting("bad").repliesTo("good").line(0).is("available");
    }

    @Test
    void a_producer_that_was_quarantined_is_forgotten_by_a_reset() {
        log.receives(
                bound(1, BLOCK),
                enqueue("j1"),
                patient(ofHours(1), enqueue("bad")).as("bad"));
        cursed = firstProducer();
        log.receives(cancel("j1"));
        cursed = null;
        log.receives(ask(new PartitionCommand.Reset()), tick(), tick(), tick());
        byte[] producers = Keys.allProducers();
        log.state().stores().entities().scan(producers, Keys.after(producers), (key, value) -> {
            throw new AssertionError("one is left");
        });
    }

    @Test
    void a_producer_whose_job_cannot_be_looked_at_is_to_blame_itself() {
        log.receives(bound(1, BLOCK), enqueue("j1"));
        log.receives(patient(ofHours(1), enqueue("bad")).as("bad"));
        curse("bad");
        log.receives(cancel("j1")).replies().shown().is("cancelled");
        log.keepsWaiting("bad");
        var aside = log.receives(ask(new ListQuarantined(10, null))).replies().line(1);
        log.receives(ask(new DiscardQuarantined(aside.number("id"))));
        cursed = null;
        log.restarts().status("q").shows("blocked", 0).shows("depth", 0);
    }

    private byte[] firstProducer() {
        byte[] producers = Keys.allProducers();
        List<byte[]> keys = new ArrayList<>();
        log.state().stores().entities().scan(producers, Keys.after(producers), (key, value) -> keys.add(key));
        return keys.getFirst();
    }

    @Test
    void what_the_command_had_done_before_it_failed_is_undone() {
        log.receives(enqueue("good"), enqueue("bad"), enqueue("ugly"));
        var before = log.state().entriesButPosition();
        curse("bad");
        log.receives(getJob("bad")).rejects(INTERNAL_ERROR);
        assertThat(butQuarantined(log)).isEqualTo(before);
        cursed = null;
        log.agreesWithItself();
    }

    @Test
    void a_job_that_no_client_can_look_at_holds_no_client_up() {
        log.receives(enqueue("good"), enqueue("bad"), enqueue("ugly"));
        curse("bad");
        log.receives(fetch().count(3).by("w1"))
                .emits(
                        "floodgate.processing_failed",
                        "floodgate.quarantined",
                        "floodgate.alarm_raised",
                        "job.started",
                        "job.started")
                .replies()
                .jobs("good", "ugly");
        log.receives(fetch(), enqueue("next"), fetch()).replies().jobs("next");
        log.restarts().receives(fetch()).replies().nothing();
        // when
        cursed = null;
        log.receives(ask(new PartitionCommand.ListQuarantined(10, null)));
        log.replies().line(0).shows("total", 1);
        log.replies()
                .line(1)
                .shows("kind", "job")
                .shows("subject", Ids.id("bad").toString());
        long id = log.replies().line(1).json().get("id").longValue();
        log.receives(ask(new PartitionCommand.RetryQuarantined(id)), fetch())
                .replies()
                .jobs("bad");
        log.receives(ask(new PartitionCommand.RetryQuarantined(id))).rejects(NOT_FOUND);
        log.agreesWithItself();
    }

    @Test
    void what_was_quarantined_can_be_given_up() {
        log.receives(enqueue("bad"), enqueue("good"));
        curse("bad");
        log.receives(fetch()).replies().jobs("good");
        cursed = null;
        log.receives(ask(new PartitionCommand.ListQuarantined(10, null)));
        long id = log.replies().line(1).json().get("id").longValue();
        log.receives(ask(new PartitionCommand.DiscardQuarantined(id)), getJob("bad"))
                .rejects(NOT_FOUND);
        assertThat(log.engine().alarms()).extracting(Alarm::code).containsExactly(Alarm.RULE_FAILED);
        log.receives(ask(new PartitionCommand.Acknowledge(Alarm.RULE_FAILED))).emits("floodgate.alarm_cleared");
        assertThat(log.engine().alarms()).isEmpty();
        log.agreesWithItself();
    }

    @Test
    void a_failing_rule_does_not_read_the_whole_log_again() {
        log.receives(enqueue("j1"), enqueue("j2"));
        curse("j1");
        scans = 0;
        log.receives(ack("j1")).rejects(INTERNAL_ERROR);
        assertThat(scans).isZero();
    }

    @Test
    void the_log_goes_on() {
        log.receives(enqueue("j1"), fetch());
        curse("j1");
        log.receives(ack("j1"), enqueue("j2"), fetch()).replies().jobs("j2");
        cursed = null;
        log.receives(ack("j1")).replies().shown().is("completed");
        log.agreesWithItself();
    }

    @Test
    void the_time_of_the_record_has_passed_all_the_same() {
        log.receives(enqueue("j1"));
        curse("j1");
        log.sleeps(ofSeconds(5)).receives(ack("j1"));
        log.sleeps(ofSeconds(-5)).receives(enqueue("j2"));
        log.job("j2").shows("created_at", TestPartition.START.plusSeconds(5));
    }

    @Test
    void the_timers_that_fired_before_the_command_have_fired() {
        log.receives(enqueue("later").delay(ofSeconds(5)), enqueue("j1"));
        curse("j1");
        log.sleeps(ofSeconds(5))
                .receives(ack("j1"))
                .emits(
                        "job.enqueued",
                        "floodgate.processing_failed",
                        "floodgate.quarantined",
                        "floodgate.alarm_raised");
        cursed = null;
        log.job("later").is("available");
    }

    @Test
    void a_message_is_seen_whatever_became_of_it() {
        PartitionId other = new PartitionId(0);
        log.receives(enqueue("j1"), fetch().by("w1"));
        curse("j1");
        log.receives(other, 1, new WorkerLost("w1", WorkerLost.Why.SILENT), null)
                .event("floodgate.processing_failed")
                .shows("what", "worker-lost");
        cursed = null;
        log.receives(other, 1, new WorkerLost("w1", WorkerLost.Why.SILENT), null)
                .emits();
    }

    @Test
    void a_message_is_carried_out_once_it_is_tried_again() {
        PartitionId other = new PartitionId(0);
        cursed = Keys.worker("w1");
        log.receives(other, 1, new Leased("w1", other), null)
                .emits("floodgate.processing_failed", "floodgate.quarantined", "floodgate.alarm_raised");
        cursed = null;
        log.worker("w1").rejected(NOT_FOUND);
        log.restarts().receives(ask(new PartitionCommand.ListQuarantined(10, null)));
        log.replies().line(1).shows("kind", "message").shows("subject", "leased number 1 from ojs.commands/0");
        long id = log.replies().line(1).json().get("id").longValue();
        // when
        log.receives(ask(new PartitionCommand.RetryQuarantined(id)));
        // then
        log.worker("w1").shown().is("running");
        log.receives(ask(new PartitionCommand.ListQuarantined(10, null)))
                .replies()
                .line(0)
                .shows("total", 0);
    }

    @Test
    void messages_that_fail_are_kept_up_to_a_bound() {
        PartitionId other = new PartitionId(0);
        cursed = Keys.worker("w1");
        for (int number = 1; number <= 150; number++) log.receives(other, number, new Leased("w1", other), null);
        cursed = null;
        log.restarts()
                .receives(ask(new PartitionCommand.ListQuarantined(10, null)))
                .replies()
                .line(0)
                .shows("total", 100);
    }

    @Test
    void a_timer_that_fails_is_left_out_and_the_others_fire() {
        log.receives(enqueue("bad").delay(ofSeconds(5)), enqueue("good").delay(ofSeconds(6)));
        curse("bad");
        log.sleeps(ofSeconds(10))
                .receives(tick())
                .emits(
                        "floodgate.processing_failed",
                        "floodgate.quarantined",
                        "floodgate.alarm_raised",
                        "job.enqueued");
        log.event("floodgate.processing_failed").shows("what", "JOB");
        log.receives(tick()).emits();
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void a_timer_left_out_stays_out_when_another_rule_fails() {
        log.receives(enqueue("bad").delay(ofSeconds(5)), enqueue("j1").delay(ofHours(1)));
        curse("bad");
        log.sleeps(ofSeconds(10))
                .receives(tick())
                .emits("floodgate.processing_failed", "floodgate.quarantined", "floodgate.alarm_raised");
        log.receives(ack("bad")).emits("floodgate.processing_failed");
        log.receives(tick()).emits();
        assertThat(log.engine().nextTimer()).isEqualTo(TestPartition.START.plusSeconds(3600));
    }

    @Test
    void a_store_that_fails_is_no_clients_fault_and_ends_the_transaction() {
        curse = () -> new StoreFailure(new IOException("disk"));
        log.receives(enqueue("j1"), fetch());
        curse("j1");
        assertThatThrownBy(() -> log.receives(ack("j1")))
                .isInstanceOf(StoreFailure.class)
                .hasRootCauseMessage("disk");
    }

    @Test
    void an_error_is_not_caught_either() {
        cursed = Keys.live(Ids.id("j1"));
        curse = () -> {
            throw new OutOfMemoryError("none left");
        };
        assertThatThrownBy(() -> log.receives(getJob("j1"))).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void the_one_who_asked_gets_exactly_one_answer() {
        log.receives(enqueue("j1"), enqueue("j2"));
        curse("j2");
        log.receives(getJob("j2").as("a"));
        log.repliesTo("a").rejected(INTERNAL_ERROR);
        assertThat(log.answers().keySet().stream().map(ReplyTo::requester).filter("a"::equals))
                .hasSize(1);
    }

    @Test
    void a_client_that_waits_is_still_waiting() {
        log.receives(
                enqueue("bad"), fetch(), fetch("other").waiting(ofSeconds(60)).as("a"));
        curse("bad");
        log.receives(ack("bad"));
        log.receives(enqueue("j1").to("other"));
        log.repliesTo("a").jobs("j1");
    }
}
