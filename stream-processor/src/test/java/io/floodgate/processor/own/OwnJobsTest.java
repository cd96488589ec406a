package io.floodgate.processor.own;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.OwnJobMessage.AskOwn;
import io.floodgate.topics.command.OwnJobMessage.CancelOwn;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.retry.RetryOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A queue, and messages of an owner in another partition. */
class OwnJobsTest extends Commands {
    private final Routing routing = new Routing(2);
    private final PartitionId home = routing.logs().getFirst();
    private final TestPartition here = new TestPartition(routing.logs().getLast(), routing);
    private final String queue = Ids.queueIn(here.id(), routing, "q");
    private final String other = Ids.queueIn(here.id(), routing, "other");
    private final String first = id("a");
    private final String second = id("b");
    private final String third = id("c");
    private long sent;

    private String id(String beginning) {
        return Ids.nicknameIn(here.id(), routing, beginning);
    }

    private JobOwner owner(String ticket) {
        return new JobOwner("test", home, "nightly", ticket, true);
    }

    private byte[] json(String nickname) {
        return "{\"id\":\"%s\",\"type\":\"report\",\"args\":[],\"queue\":\"%s\"}"
                .formatted(Ids.id(nickname), queue)
                .getBytes(StandardCharsets.UTF_8);
    }

    private void send(Command message) {
        here.receives(home, ++sent, message, null);
    }

    private void skips(String nickname) {
        send(PlaceOwn.orSkip(owner(nickname), Ids.id(nickname), json(nickname)));
    }

    private void waits(String nickname) {
        send(PlaceOwn.orWait(owner(nickname), Ids.id(nickname), json(nickname), ofSeconds(60)));
    }

    private <C extends Command> List<C> told(Class<C> type) {
        return here.outgoing().stream()
                .map(OwnJobsTest::decode)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static Command decode(Outgoing message) {
        try {
            return CommandCodec.decode(message.op(), message.value());
        } catch (UnreadableCommand unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private PlacedOwn answer() {
        List<PlacedOwn> answers = told(PlacedOwn.class);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private Rejection rejection() {
        Rejection rejection = answer().rejection();
        assertThat(rejection).isNotNull();
        return rejection;
    }

    private OwnerNote note() {
        List<OwnerNote> notes = told(TellOwners.class).stream()
                .map(TellOwners::notes)
                .flatMap(List::stream)
                .toList();
        assertThat(notes).hasSize(1);
        return notes.getFirst();
    }

    private void isBoundedBy(int jobs, Overflow strategy) {
        here.receives(bound(queue, new QueueConfig((long) jobs, null, strategy, null)));
    }

    private void isFull(Overflow strategy) {
        isBoundedBy(1, strategy);
        here.receives(enqueue(third).to(queue), fetch(queue).by("w"));
    }

    private void state(String nickname, String state) {
        here.receives(getJob(nickname)).replies().shown().is(state);
    }

    @Test
    void a_job_comes_in_and_its_owner_hears_so() {
        skips(first);
        assertThat(answer().isThere()).isTrue();
        assertThat(answer().owner()).isEqualTo(owner(first));
        state(first, "available");
    }

    @Test
    void the_same_message_makes_no_second_job() {
        skips(first);
        skips(first);
        assertThat(answer().isThere()).isTrue();
        here.receives(getQueue(queue)).replies().shown().shows("available", 1);
    }

    @Test
    void its_end_is_told_with_the_result_and_only_once() {
        skips(first);
        here.receives(fetch(queue).by("w")).receives(ack(first).by("w").result("{\"n\":1}"));
        OwnerNote note = note();
        assertThat(note.state()).isEqualTo(JobState.COMPLETED);
        assertThat(note.gone()).isFalse();
        assertThat(note.result()).asString(StandardCharsets.UTF_8).isEqualTo("{\"n\":1}");
        here.after(ofDays(60));
        assertThat(told(TellOwners.class)).isEmpty();
    }

    @Test
    void a_dead_letter_has_ended_until_it_is_retried() {
        here.receives(decide(queue, retries(1)));
        skips(first);
        here.receives(fetch(queue).by("w")).receives(nack(first).by("w"));
        OwnerNote dead = note();
        assertThat(dead.state()).isEqualTo(JobState.DISCARDED);
        assertThat(dead.error()).asString(StandardCharsets.UTF_8).contains("it broke");
        here.receives(retryDead(first));
        assertThat(note().isOver()).isFalse();
        assertThat(note().number()).isGreaterThan(dead.number());
        here.receives(cancel(first));
        assertThat(note().state()).isEqualTo(JobState.CANCELLED);
    }

    private static QueuePolicy retries(int most) {
        RetryOptions retry = new RetryOptions(most, null, null, null, null, null, null, true);
        return QueuePolicy.NONE.with(new JobDefaults(null, null, retry, null));
    }

    @ParameterizedTest
    @EnumSource(Overflow.class)
    void without_patience_it_is_rejected_by_a_full_queue(Overflow strategy) {
        isFull(strategy);
        skips(first);
        assertThat(rejection().code()).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(here.knows(first)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Overflow.class,
            names = {"REJECT", "BLOCK"})
    void with_patience_it_waits_whatever_the_strategy_and_keeps_its_place(Overflow strategy) {
        isFull(strategy);
        waits(first);
        assertThat(answer().waits()).isTrue();
        waits(second);
        here.restarts().receives(ack(third).by("w"));
        assertThat(answer().isThere()).isTrue();
        assertThat(answer().job()).isEqualTo(Ids.id(first));
        here.after(ofSeconds(61));
        assertThat(answer().job()).isEqualTo(Ids.id(second));
        assertThat(rejection().code()).isEqualTo(ErrorCode.QUEUE_FULL);
    }

    @Test
    void it_may_wait_as_the_queue_says() {
        isFull(Overflow.REJECT);
        asQueueSays(first);
        assertThat(rejection().code()).isEqualTo(ErrorCode.QUEUE_FULL);
        isBoundedBy(1, Overflow.BLOCK);
        asQueueSays(second);
        assertThat(answer().waits()).isTrue();
    }

    private void asQueueSays(String nickname) {
        send(PlaceOwn.asQueueSays(owner(nickname), Ids.id(nickname), json(nickname), ofSeconds(60)));
    }

    @Test
    void drop_oldest_has_it_wait_and_drops_nothing_for_it() {
        isBoundedBy(1, Overflow.DROP_OLDEST);
        here.receives(enqueue(third).to(queue));
        waits(first);
        assertThat(answer().waits()).isTrue();
        state(third, "available");
    }

    @Test
    void drop_oldest_has_it_wait_while_nothing_can_be_dropped() {
        isFull(Overflow.DROP_OLDEST);
        waits(first);
        assertThat(answer().waits()).isTrue();
        here.receives(ack(third).by("w"));
        assertThat(answer().isThere()).isTrue();
    }

    @Test
    void jobs_that_drop_others_leave_it_the_room_that_becomes_free() {
        here.receives(bound(queue, new QueueConfig(null, 1_000L, Overflow.DROP_OLDEST, null)));
        String args = "[\"%s\"]".formatted("x".repeat(200));
        String[] small = new String[4];
        for (int i = 0; i < small.length; i++) small[i] = id("small" + i);
        for (int i = 0; i < 3; i++) here.receives(enqueue(small[i]).to(queue).member("args", args));
        String large = new String(json(first), StandardCharsets.UTF_8).replace("[]", "[\"" + "x".repeat(500) + "\"]");
        send(PlaceOwn.orWait(owner(first), Ids.id(first), large.getBytes(StandardCharsets.UTF_8), ofSeconds(60)));
        assertThat(answer().waits()).isTrue();
        here.receives(fetch(queue).by("w"), ack(small[0]).by("w"));
        here.receives(enqueue(small[3]).to(queue).member("args", args));
        state(small[1], "discarded");
        here.receives(fetch(queue).by("w"), ack(small[2]).by("w"));
        assertThat(answer().isThere()).isTrue();
    }

    @Test
    void callers_do_not_overtake_it() {
        isFull(Overflow.REJECT);
        waits(first);
        isBoundedBy(2, Overflow.REJECT);
        state(first, "available");
        here.receives(enqueue(second).to(queue)).rejects(ErrorCode.QUEUE_FULL);
    }

    @Test
    void a_queue_that_is_deleted_rejects_it_also_if_it_waits() {
        isFull(Overflow.BLOCK);
        waits(first);
        here.receives(delete(queue, Deletion.DRAIN));
        assertThat(rejection().code()).isEqualTo(ErrorCode.QUEUE_DRAINING);
        skips(second);
        assertThat(rejection().code()).isEqualTo(ErrorCode.QUEUE_DRAINING);
    }

    @Test
    void types_and_producers_are_asked() {
        here.receives(decide(queue, QueuePolicy.NONE.with(new Access(List.of("other.*"), null))));
        skips(first);
        assertThat(rejection().code()).isEqualTo(ErrorCode.JOB_TYPE_NOT_ALLOWED);
        here.receives(decide(queue, QueuePolicy.NONE.with(new Access(List.of("*"), List.of("billing")))));
        skips(second);
        assertThat(rejection().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void its_owner_goes_with_it_to_another_queue() {
        skips(first);
        here.receives(bound(other, new QueueConfig(10L, null, Overflow.REJECT, null)), move(queue, other))
                .after(ofSeconds(1));
        here.restarts().receives(fetch(other).by("w")).receives(ack(first).by("w"));
        assertThat(note().owner()).isEqualTo(owner(first));
    }

    @Test
    void it_is_asked_for_and_cancelled_wherever_it_is() {
        isFull(Overflow.BLOCK);
        waits(first);
        ask(first);
        assertThat(answer().waits()).isTrue();
        cancelOwn(first);
        assertThat(rejection().details()).contains(new Rejection.Detail("reason", "\"cancelled\""));
        ask(first);
        assertThat(note().gone()).isTrue();
        here.receives(ack(third).by("w"));
        skips(second);
        ask(second);
        assertThat(note().isOver()).isFalse();
        cancelOwn(second);
        assertThat(note().state()).isEqualTo(JobState.CANCELLED);
        here.receives(getJob(second)).replies().shown().is("cancelled");
    }

    private void ask(String nickname) {
        send(new AskOwn(owner(nickname), Ids.id(nickname), 0));
    }

    private void cancelOwn(String nickname) {
        send(new CancelOwn(owner(nickname), Ids.id(nickname), null, 0));
    }

    @Test
    void ids_are_the_same_each_time_and_lead_to_the_partition_of_the_queue() {
        JobId made = OwnJobs.makeId(queue, here.now(), OwnJobs.mix("nightly 1"));
        assertThat(made).isEqualTo(OwnJobs.makeId(queue, here.now(), OwnJobs.mix("nightly 1")));
        assertThat(made).isNotEqualTo(OwnJobs.makeId(queue, here.now(), OwnJobs.mix("nightly 2")));
        assertThat(routing.ofJob(made)).isEqualTo(here.id());
        assertThat(Stream.of(0, 1).map(n -> OwnJobs.mix("x" + n)).distinct()).hasSize(2);
    }
}
