package io.floodgate.processor.kernel;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything a command can cause, collected while it is executed; writes to the stores are staged beside it. */
public final class Effects {
    /** A reply and who waits for it. */
    public record Answer(ReplyTo to, Reply reply) {}

    /**
     * A message from one entity of this partition to another: handled in the same step.
     *
     * @param about what it is part of: to blame if the rules fail on nothing in particular
     * @param by who has caused it
     */
    public record Local(
            Command message,
            @Nullable ReplyTo replyTo,
            Quarantine.@Nullable Subject about,
            @Nullable Identity by) {}

    private final PartitionId log;
    private final Routing routing;
    private final Mail mail;
    private final PartitionPosition position;
    private final List<Answer> answers = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final ArrayDeque<Local> local = new ArrayDeque<>();
    private Moment moment = new Moment(-1, 0, Instant.EPOCH);
    private @Nullable ReplyTo replyTo;
    private @Nullable Rejection rejection;
    private @Nullable Identity by;
    private int eventsOfRecord;
    private @Nullable String aboutKind;
    private Object aboutName = "";
    private Quarantine.@Nullable Subject carriedOut;

    public Effects(PartitionId log, Routing routing, Mail mail, PartitionPosition position) {
        this.log = log;
        this.routing = routing;
        this.mail = mail;
        this.position = position;
    }

    public PartitionId log() {
        return log;
    }

    public Moment moment() {
        return moment;
    }

    public Instant now() {
        return moment.time();
    }

    /** The time by the clocks of the brokers: behind that of the partition while these have stepped back. */
    public Instant wallTime() {
        return position.time().wallTime();
    }

    /** Returns whether less time passes than by the clocks of the brokers, since these have stepped back. */
    public boolean isTimeSlow() {
        return position.time().isSlow();
    }

    /** Begins the steps of a record: first its due timers, then what it asks for. */
    public void beginRecord(Moment at) {
        moment = at;
        eventsOfRecord = 0;
    }

    /** Goes on to the record's next command. */
    public void beginPart() {
        moment = moment.next();
    }

    public void beginStep(@Nullable ReplyTo waiting) {
        answers.clear();
        events.clear();
        outgoing.clear();
        local.clear();
        replyTo = waiting;
        rejection = null;
        carriedOut = null;
        by = null;
        aboutNothing();
    }

    /** Goes on with a message from one entity of this partition to another. */
    public void beginLocal(Local next) {
        replyTo = next.replyTo;
        rejection = null;
        carriedOut = next.about;
        by = next.by;
        aboutNothing();
    }

    public void endLocal() {
        carriedOut = null;
    }

    /** The identity that has caused what happens now: events and messages carry it. Null if there is none. */
    public @Nullable Identity by() {
        return by;
    }

    public void setBy(@Nullable Identity identity) {
        by = identity;
    }

    /** Acts in the name of another identity. */
    public void as(@Nullable Identity other, Runnable action) {
        Identity before = by;
        by = other;
        action.run();
        by = before;
    }

    /** A number never given out before in this partition. */
    public long nextNumber() {
        return position.nextNumber();
    }

    /** The rules look at this thing now: should they fail, it is to blame. */
    public void about(String kind, Object name) {
        aboutKind = kind;
        aboutName = name;
    }

    /** The rules look at nothing in particular. */
    public void aboutNothing() {
        aboutKind = null;
    }

    /** Looks at something else meanwhile, which is to blame if that fails. */
    public <T extends @Nullable Object> T whileAbout(String kind, Object name, Supplier<T> look) {
        String kindBefore = aboutKind;
        Object nameBefore = aboutName;
        about(kind, name);
        T found = look.get();
        aboutKind = kindBefore;
        aboutName = nameBefore;
        return found;
    }

    public Quarantine.@Nullable Subject about() {
        return aboutKind == null ? carriedOut : new Quarantine.Subject(aboutKind, aboutName.toString());
    }

    /** Returns the address that waits for the answer to the command at hand. */
    public @Nullable ReplyTo replyTo() {
        return replyTo;
    }

    public void setReplyTo(@Nullable ReplyTo waiting) {
        replyTo = waiting;
    }

    /** Returns the same and forgets it: its taker sends the answer. */
    public @Nullable ReplyTo takeReplyTo() {
        ReplyTo taken = replyTo;
        replyTo = null;
        return taken;
    }

    public void reply(JsonOut lines) {
        reply(lines.toBytes());
    }

    public void reply(byte[] lines) {
        if (replyTo != null) replyTo(replyTo, new Reply.Done(lines));
    }

    public void reject(Rejection why) {
        rejection = why.shortened();
        if (replyTo != null) replyTo(replyTo, new Reply.Rejected(rejection));
    }

    /** Answers a caller that has been waiting since an earlier command. */
    public void replyTo(ReplyTo waiting, Reply reply) {
        Optional<JobId> workflow = waiting.workflow();
        if (workflow.isEmpty()) answers.add(new Answer(waiting, reply));
        else
            again(
                    new FirstJobsStored(
                            workflow.get(), reply instanceof Reply.Rejected no ? no.rejection() : null, room(reply)),
                    null);
    }

    /** Returns the name of a reservation, which is in the first line of the reply. */
    private static @Nullable Long room(Reply reply) {
        if (!(reply instanceof Reply.Done done) || done.bytes() == 0) return null;
        return HoldBatch.name(done.body()).orElse(null);
    }

    /** Hands the command at hand, and the duty to answer it, on to another entity. */
    public void pass(PartitionId to, String key, Command message) {
        send(to, key, message, replyTo);
        replyTo = null;
    }

    /** Sends a message to another entity, without an answer. */
    public void tell(PartitionId to, String key, Command message) {
        send(to, key, message, null);
    }

    public void send(PartitionId to, String key, Command message, @Nullable ReplyTo waiting) {
        if (to.equals(log)) local.add(new Local(message, waiting, null, by));
        else if (!routing.has(to)) throw new IllegalArgumentException("there is no partition %s".formatted(to));
        else outgoing.add(mail.post(to, key, message, waiting, by));
    }

    /** Has a command executed, in this step, that an earlier record asked for. */
    public void again(Command command, @Nullable ReplyTo waiting) {
        again(command, waiting, null, by);
    }

    /**
     * @param about what the command is part of
     * @param sender who wants it
     */
    public void again(
            Command command, @Nullable ReplyTo waiting, Quarantine.@Nullable Subject about, @Nullable Identity sender) {
        local.add(new Local(command, waiting, about, sender));
    }

    public void emit(String type, String subject, String key, JsonOut data) {
        emit(type, subject, key, data, null);
    }

    /** @param late by how much what it tells of was late, for the metrics */
    public void emit(String type, String subject, String key, JsonOut data, @Nullable Duration late) {
        emit(type, subject, key, data, late, null);
    }

    /** @param mark for sinks; null if it is for none */
    public void emitMarked(String type, String subject, String key, JsonOut data, byte @Nullable [] mark) {
        emit(type, subject, key, data, null, mark);
    }

    private void emit(
            String type, String subject, String key, JsonOut data, @Nullable Duration late, byte @Nullable [] mark) {
        events.add(Event.of(log, moment, eventsOfRecord++, type, subject, key, by, data.toBytes(), late, mark));
    }

    public @Nullable Local nextLocal() {
        return local.poll();
    }

    public boolean hasLocal() {
        return !local.isEmpty();
    }

    public List<Answer> answers() {
        return answers;
    }

    public List<Event> events() {
        return events;
    }

    public List<Outgoing> outgoing() {
        return outgoing;
    }

    /** Returns the rejection of the command at hand; null if it was not rejected. */
    public @Nullable Rejection rejection() {
        return rejection;
    }
}
