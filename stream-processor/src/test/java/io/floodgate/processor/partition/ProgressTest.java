package io.floodgate.processor.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.PartitionTime;
import io.floodgate.processor.kernel.UnknownLogicVersion;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A partition knows how far it has come, and says so when records are missing, doubled, or of another time. */
class ProgressTest {
    private static final Routing ROUTING = new Routing(2);
    private static final PartitionId LOG = ROUTING.logs().getFirst();
    private static final PartitionId OTHER = ROUTING.logs().getLast();
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final MutedLogs muted = MutedLogs.of("io.floodgate.processor");
    private final State state = new State();
    private PartitionEngine engine = new PartitionEngine(LOG, ROUTING, state.stores());

    @AfterEach
    void loud() {
        muted.close();
    }

    /** As a release to come would. */
    private void openByTheSecondRules() {
        engine = new PartitionEngine(LOG, ROUTING, state.upgradedTo(2).stores(), 2);
    }

    private Outcome at(long offset, Command command) {
        return at(offset, command, START, null, "topic", -1);
    }

    private Outcome at(
            long offset, Command command, Instant appended, @Nullable Instant sent, String topic, long logStart) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        return engine.apply(new PartitionRecord(
                offset,
                appended,
                encoded.op(),
                encoded.value(),
                new ReplyTo(0, "me", offset),
                null,
                0,
                0,
                sent,
                topic,
                logStart));
    }

    private Outcome message(long offset, long sequence, long acked, Command command) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        return engine.apply(new PartitionRecord(
                offset, START, encoded.op(), encoded.value(), null, OTHER, sequence, acked, START, "topic", -1));
    }

    /** The partition's time with a record that was appended then. */
    private Instant timeAt(Instant appended, @Nullable Instant sent) {
        Outcome outcome = at(engine.position() + 1, new Inspect(), appended, sent, "topic", -1);
        Reply.Done inspected = (Reply.Done) outcome.answers().getFirst().reply();
        return Instant.parse(Json.tree(inspected.body()).get("time").stringValue());
    }

    private List<String> alarms() {
        return engine.alarms().stream().map(Alarm::code).toList();
    }

    private static List<String> events(Outcome outcome) {
        return outcome.events().stream()
                .map(event -> Json.tree(event.envelope()).get("type").stringValue())
                .toList();
    }

    /** A queue of this partition. */
    private static String queue(String beginning) {
        return Ids.queueIn(LOG, ROUTING, beginning);
    }

    private static Pause pause(String beginning) {
        return new Pause(queue(beginning));
    }

    // ---- offsets

    @Test
    void a_record_is_carried_out_once() {
        assertThat(at(0, pause("a")).answers()).hasSize(1);
        assertThat(at(1, new Tick()).answers()).hasSize(1);
        engine = new PartitionEngine(LOG, ROUTING, state.stores());
        for (long offset : List.of(0L, 1L)) {
            Outcome again = at(offset, pause("b"));
            assertThat(again.answers()).isEmpty();
            assertThat(again.events()).isEmpty();
            assertThat(again.changedQueues()).isEmpty();
        }
        assertThat(engine.queueNames()).containsExactly(queue("a"));
        assertThat(engine.position()).isEqualTo(1);
    }

    @Test
    void commands_that_were_deleted_are_missed_aloud() {
        at(0, new Tick());
        Outcome outcome = at(10, new Tick(), START, null, "topic", 7);
        assertThat(events(outcome)).containsExactly("floodgate.alarm_raised");
        assertThat(alarms()).containsExactly(Alarm.COMMANDS_LOST);
        assertThat(engine.alarms().getFirst().message())
                .contains("offsets 1 to 6")
                .contains("retention");
        // It stands, after a restart too, until an operator has seen it.
        engine = new PartitionEngine(LOG, ROUTING, state.stores());
        assertThat(alarms()).containsExactly(Alarm.COMMANDS_LOST);
        assertThat(events(at(20, new Tick(), START, null, "topic", 15))).isEmpty();
        assertThat(events(at(21, new Acknowledge(Alarm.COMMANDS_LOST)))).containsExactly("floodgate.alarm_cleared");
        assertThat(alarms()).isEmpty();
    }

    @Test
    void a_gap_that_nothing_was_deleted_from_is_none() {
        at(0, new Tick());
        at(10, new Tick(), START, null, "topic", 0);
        at(20, new Tick(), START, null, "topic", 11);
        at(30, new Tick());
        assertThat(alarms()).isEmpty();
    }

    @Test
    void a_topic_that_was_made_again_begins_again_and_everything_is_kept() {
        at(0, pause("a"));
        at(1, new Tick());
        Outcome outcome = at(0, new Tick(), START, null, "other topic", -1);
        assertThat(outcome.answers()).hasSize(1);
        assertThat(alarms()).containsExactly(Alarm.TOPIC_RECREATED);
        assertThat(engine.queueNames()).containsExactly(queue("a"));
        assertThat(engine.position()).isZero();
    }

    @Test
    void says_where_it_stands() {
        at(0, pause("a"));
        Outcome outcome = at(9, new Inspect(), START, null, "topic", 5);
        String json = ((Reply.Done) outcome.answers().getFirst().reply()).toString();
        assertThat(json)
                .contains("\"log\":\"ojs.commands/0\"", "\"topic_id\":\"topic\"", "\"offset\":9", "\"rules\":1")
                .contains("\"queues\":1", "\"set_aside\":0", "\"code\":\"commands_lost\"");
        assertThat(((Reply.Done) at(10, new Tick()).answers().getFirst().reply()).toString())
                .contains("\"set_aside\":0", "\"code\":\"commands_lost\"");
    }

    // ---- rules

    @Test
    void rules_that_are_not_known_are_left_to_others() {
        State first = new State();
        PartitionEngine old = new PartitionEngine(LOG, ROUTING, first.stores(), 1);
        CommandCodec.Encoded upgrade = CommandCodec.encode(new Upgrade(2));
        PartitionRecord record = new PartitionRecord(0, START, upgrade.op(), upgrade.value(), null, null, 0);
        assertThatThrownBy(() -> old.apply(record))
                .isInstanceOf(UnknownLogicVersion.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("this release knows up to 1");
        new PartitionEngine(LOG, ROUTING, first.stores(), 2).apply(record);
        assertThatThrownBy(() -> new PartitionEngine(LOG, ROUTING, first.stores(), 1))
                .isInstanceOf(UnknownLogicVersion.class);
    }

    @Test
    void an_upgrade_that_does_not_name_the_topic_of_the_log_is_no_clients() {
        openByTheSecondRules();
        assertThat(at(0, new Upgrade(3)).answers().getFirst().reply()).isInstanceOf(Reply.Rejected.class);
        assertThat(at(1, new Upgrade(3, "another")).answers().getFirst().reply())
                .isInstanceOf(Reply.Rejected.class);
        assertThat(at(2, new Upgrade(1)).answers().getFirst().reply()).isInstanceOf(Reply.Rejected.class);
        assertThat(engine.rules()).isEqualTo(2);
        assertThatThrownBy(() -> at(3, new Upgrade(3, "topic"))).isInstanceOf(UnknownLogicVersion.class);
    }

    @Test
    void a_reset_that_does_not_name_the_topic_of_the_log_is_no_clients() {
        at(0, pause("a"));
        assertThat(at(1, new Reset()).answers().getFirst().reply()).isInstanceOf(Reply.Rejected.class);
        at(2, new Tick());
        assertThat(engine.queueNames()).containsExactly(queue("a"));
        at(3, new Reset("topic"));
        at(4, new Tick());
        assertThat(engine.queueNames()).isEmpty();
    }

    @Test
    void rules_are_not_skipped() {
        openByTheSecondRules();
        assertThat(at(0, new Upgrade(4)).answers().getFirst().reply()).isInstanceOf(Reply.Rejected.class);
        assertThat(engine.rules()).isEqualTo(2);
        at(1, new Upgrade(1, "topic"));
        assertThat(engine.rules()).isEqualTo(1);
    }

    // ---- time

    @Test
    void time_goes_on_at_half_its_pace_when_the_brokers_clock_steps_back() {
        at(0, new Tick());
        Instant back = START.minus(Duration.ofHours(1));
        at(1, new Tick(), back, back, "topic", -1);
        assertThat(alarms()).containsExactly(Alarm.CLOCK_AHEAD);
        at(2, pause("a"), back.plusSeconds(5), back.plusSeconds(5), "topic", -1);
        assertThat(new String(engine.status(queue("a")).orElseThrow(), UTF_8)).contains("\"2026-01-01T12:00:02.500Z\"");
    }

    @Test
    void a_clock_that_was_ahead_is_caught_up_with_however_many_records_come() {
        at(0, new Tick(), START.plusSeconds(3_600), START.plusSeconds(3_600), "topic", -1);
        long offset = 1;
        for (int millis = 0; millis < 60_000; millis += 1 + millis % 3, offset++) {
            Instant time = START.plusMillis(millis);
            at(offset, new Tick(), time, time, "topic", -1);
        }
        Instant early = START.plusSeconds(61);
        at(offset++, pause("a"), early, early, "topic", -1);
        assertThat(new String(engine.status(queue("a")).orElseThrow(), UTF_8)).contains("\"2026-01-01T13:00:30.500Z\"");
        Instant late = START.plusSeconds(7_201);
        at(offset++, new Tick(), late, late, "topic", -1);
        at(offset, pause("b"), late.plusSeconds(1), late.plusSeconds(1), "topic", -1);
        assertThat(new String(engine.status(queue("b")).orElseThrow(), UTF_8)).contains("\"2026-01-01T14:00:02.000Z\"");
    }

    @Test
    void a_time_that_its_producer_made_up_moves_nothing() {
        at(0, new Tick());
        at(1, new Tick(), PartitionTime.UNKNOWN, null, "topic", -1);
        assertThat(alarms()).containsExactly(Alarm.CLOCK_AHEAD);
        at(2, pause("a"), START.plusSeconds(5), START.plusSeconds(5), "topic", -1);
        assertThat(new String(engine.status(queue("a")).orElseThrow(), UTF_8)).contains("\"2026-01-01T12:00:05.000Z\"");
    }

    @Test
    void a_small_step_back_is_waited_for() {
        at(0, new Tick());
        at(1, new Tick(), START.minusSeconds(10), null, "topic", -1);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void a_record_of_the_far_future_does_not_take_the_log_along() {
        at(0, new Tick());
        Instant future = START.plus(Duration.ofDays(30_000));
        at(1, pause("a"), future, START, "topic", -1);
        assertThat(alarms()).containsExactly(Alarm.CLOCK_AHEAD);
        // Nor do those that say nothing, as long as no operator has looked into it.
        at(2, new Tick(), future, null, "topic", -1);
        at(3, pause("b"), START.plusSeconds(1), START.plusSeconds(1), "topic", -1);
        assertThat(new String(engine.status(queue("b")).orElseThrow(), UTF_8)).contains("\"2026-01-01T12:00:01.000Z\"");
    }

    /** So that nothing stands still while it is wrong, and not all is due at once when it is right again. */
    @Test
    void a_clock_that_its_senders_contradict_only_says_how_fast_time_goes() {
        for (long wrong : List.of(3_600L, -3_600L)) {
            Instant begun = START.plus(Duration.ofDays(wrong > 0 ? 0 : 1));
            assertThat(timeAt(begun, begun)).isEqualTo(begun);
            for (int i = 1; i <= 8; i++) {
                if (i == 4) engine = new PartitionEngine(LOG, ROUTING, state.stores());
                // How long it took to set it is not known.
                assertThat(timeAt(begun.plusSeconds(wrong + i), begun.plusSeconds(i)))
                        .isEqualTo(begun.plusSeconds(i - 1));
            }
            assertThat(alarms()).containsExactly(Alarm.CLOCK_AHEAD);
            assertThat(timeAt(begun.plusSeconds(9), begun.plusSeconds(9))).isEqualTo(begun.plusSeconds(9));
        }
    }

    @Test
    void a_clock_that_was_set_back_and_is_right_again_takes_nothing_along() {
        timeAt(START, null);
        timeAt(START.minusSeconds(3_600), null);
        assertThat(timeAt(START.minusSeconds(3_590), null)).isEqualTo(START.plusSeconds(5));
        assertThat(timeAt(START.plusSeconds(4), null)).isEqualTo(START.plusSeconds(5));
        assertThat(timeAt(START.plusSeconds(6), null)).isEqualTo(START.plusSeconds(6));
    }

    // ---- messages

    @Test
    void messages_that_were_lost_are_missed_aloud_and_no_client_waits_for_them() {
        message(0, 1, 0, pause("a"));
        Outcome outcome = message(1, 5, 4, pause("e"));
        assertThat(engine.queueNames()).containsExactly(queue("a"), queue("e"));
        assertThat(events(outcome)).contains("floodgate.alarm_raised");
        assertThat(alarms()).containsExactly(Alarm.MESSAGES_LOST);
        assertThat(outcome.outgoing()).extracting("op").contains("messages-lost");
        message(2, 6, 5, pause("f"));
        assertThat(engine.queueNames()).containsExactly(queue("a"), queue("e"), queue("f"));
    }

    @Test
    void a_message_before_its_time_is_not_taken_and_comes_again() {
        message(0, 2, 0, pause("b"));
        assertThat(engine.queueNames()).isEmpty();
        message(1, 1, 0, pause("a"));
        message(2, 2, 1, pause("b"));
        assertThat(engine.queueNames()).containsExactly(queue("a"), queue("b"));
        assertThat(alarms()).isEmpty();
    }

    @Test
    void the_same_message_is_taken_once() {
        message(0, 1, 0, pause("a"));
        Outcome again = message(1, 1, 0, pause("a"));
        assertThat(again.events()).isEmpty();
    }

    @Test
    void two_messages_of_one_number_are_both_carried_out_and_announced() {
        message(0, 1, 0, pause("forged"));
        Outcome real = message(1, 1, 0, pause("real"));
        assertThat(events(real)).contains("floodgate.message_contradicted");
        assertThat(engine.queueNames()).containsExactly(queue("forged"), queue("real"));
        assertThat(events(message(2, 1, 0, pause("real")))).isEmpty();
        message(3, 2, 1, pause("next"));
        assertThat(engine.queueNames()).containsExactly(queue("forged"), queue("next"), queue("real"));
    }

    @Test
    void who_forges_a_loss_loses_nothing_for_others() {
        message(0, 9, 8, pause("forged"));
        message(1, 1, 0, pause("real"));
        assertThat(engine.queueNames()).containsExactly(queue("forged"), queue("real"));
    }

    @Test
    void who_forges_numbers_ends_no_conversation() {
        message(0, 1, 0, pause("a"));
        long forged = Long.MAX_VALUE - 10_000;
        for (int i = 0; i < 5_000; i++) message(1 + i, forged + i, forged + i - 1, pause("forged"));
        // The first message that is taken for an old one asks its sender.
        assertThat(message(6_000, 2, 1, pause("b")).outgoing()).extracting("op").contains("want-number");
        message(6_001, 3, 2, new LastNumber(OTHER));
        byte[] job = "{\"type\":\"test\",\"args\":[],\"id\":\"%s\",\"queue\":\"%s\"}"
                .formatted(Ids.id(Ids.nicknameIn(OTHER, ROUTING, "late")), queue("late"))
                .getBytes(UTF_8);
        message(6_002, 4, 3, new Place(job));
        assertThat(engine.queueNames()).containsExactly(queue("a"), queue("b"), queue("forged"), queue("late"));
        assertThat(message(6_003, 4, 3, new Place(job)).events()).isEmpty();
    }

    @Test
    void who_is_asked_for_its_last_number_sends_it() {
        Outcome outcome = message(0, 1, 0, new WantNumber(OTHER));
        assertThat(outcome.outgoing()).extracting("op").containsExactly("last-number");
        assertThat(outcome.outgoing().getFirst().to()).isEqualTo(OTHER);
    }

    @Test
    void messages_that_cannot_be_carried_out_are_kept_up_to_a_bound() {
        byte[] garbage = new byte[900_000];
        java.util.Arrays.fill(garbage, (byte) 'z');
        for (int i = 1; i <= 200; i++) message(i, i, i - 1, new Place(garbage));
        assertThat(alarms()).isEmpty();
        assertThat(engine.audit()).isEmpty();
    }

    @Test
    void a_job_that_was_given_up_as_lost_does_not_come_in_any_more() {
        message(0, 5, 4, pause("e"));
        message(1, 3, 0, pause("late"));
        byte[] job = "{\"type\":\"test\",\"args\":[],\"id\":\"%s\",\"queue\":\"%s\"}"
                .formatted(Ids.id(Ids.nicknameIn(OTHER, ROUTING, "late")), queue("late"))
                .getBytes(UTF_8);
        Outcome outcome = message(2, 2, 0, new Place(job));
        assertThat(events(outcome)).isEmpty();
        assertThat(engine.audit()).isEmpty();
        message(3, 6, 5, new Place(job));
        assertThat(engine.status(queue("late"))
                        .map(Json::tree)
                        .orElseThrow()
                        .get("depth")
                        .longValue())
                .isEqualTo(1);
    }

    @Test
    void an_unknown_message_is_answered() {
        Outcome outcome = engine.apply(new PartitionRecord(
                0, START, "of-the-future", new byte[] {'{', '}'}, null, OTHER, 1, 0, START, "topic", -1));
        assertThat(outcome.outgoing()).hasSize(1);
        assertThat(outcome.outgoing().getFirst().op()).isEqualTo("undeliverable");
        assertThat(outcome.outgoing().getFirst().to()).isEqualTo(OTHER);
    }
}
