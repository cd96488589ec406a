package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.Alarms;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a rule that throws. It would throw again at every replay, and at every other command about the same thing. So
 * the thing is quarantined, and the step executed again without it.
 */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    /** Most broken things of a step before it is given up. */
    private static final int ATTEMPTS = 10;

    private static final int FAILURE_CHARS = 500;

    private final Steps steps;
    private final Timers timers;
    private final List<Entity> entities;
    private final Quarantine quarantine;
    private final Alarms alarms;
    private final Effects out;
    /** True if the failure of the step at hand is reported already. */
    private boolean announced;

    Failures(Steps steps, Timers timers, List<Entity> entities, Quarantine quarantine, Alarms alarms, Effects out) {
        this.steps = steps;
        this.timers = timers;
        this.entities = entities;
        this.quarantine = quarantine;
        this.alarms = alarms;
        this.out = out;
    }

    /** Fires a timer as a step of its own. One whose rule cannot be executed at all is left out from then on. */
    void fire(Timer timer, Outcome outcome) {
        RuntimeException failure = withoutWhatIsBroken(timer.kind().name(), null, () -> fire(timer), outcome);
        if (failure == null || !timers.isDue(timer, out.now())) return;
        Subject subject = new Subject(Quarantine.TIMER, timer.subject());
        RuntimeException worse = steps.tryTo(null, () -> leaveOut(timer, subject, failure), outcome);
        if (worse != null) throw worse;
    }

    private void fire(Timer timer) {
        timers.cancel(timer);
        for (Entity entity : entities) if (entity.fire(timer)) return;
        throw new IllegalStateException("no entity knows timer " + timer);
    }

    private void leaveOut(Timer timer, Subject subject, RuntimeException failure) {
        timers.cancel(timer);
        announce(timer.kind().name(), failure);
        if (!quarantine.has(subject.kind(), subject.name())) keep(subject, failure, null);
    }

    /**
     * Executes a step. A thing on which its rule fails is quarantined, and the step executed again.
     *
     * @return what it threw in the end; null once it has been done
     */
    @Nullable
    RuntimeException withoutWhatIsBroken(String what, @Nullable ReplyTo replyTo, Runnable rule, Outcome outcome) {
        announced = false;
        for (int attempt = 1; ; attempt++) {
            RuntimeException failure = steps.tryTo(replyTo, rule, outcome);
            if (failure == null) return null;
            Subject blamed = out.about();
            LOG.error(
                    "Partition {}, offset {}: '{}' failed on {}; its effects were dropped, and the partition goes on.",
                    out.log(),
                    out.moment().offset(),
                    Limits.printable(what),
                    blamed == null ? "nothing in particular" : blamed,
                    failure);
            if (failure instanceof StepTooLong || attempt == ATTEMPTS || blamed == null) return failure;
            if (quarantine.has(blamed.kind(), blamed.name())) return failure;
            boolean[] taken = {false};
            RuntimeException worse = steps.tryTo(null, () -> taken[0] = aside(what, blamed, failure), outcome);
            if (worse != null) LOG.error("Partition {}: {} could not be quarantined.", out.log(), blamed, worse);
            if (worse != null || !taken[0]) return failure;
            announced = true;
        }
    }

    private boolean aside(String what, Subject subject, RuntimeException failure) {
        for (Entity entity : entities) {
            if (!entity.quarantine(subject)) continue;
            announce(what, failure);
            keep(subject, failure, null);
            return true;
        }
        return false;
    }

    boolean hasRoomFor(byte[] message) {
        return quarantine.hasRoomFor(message);
    }

    /** Part of a step: the thing is kept until an operator decides about it. */
    void keep(Subject subject, RuntimeException failure, byte @Nullable [] message) {
        Quarantine.Entry entry = new Quarantine.Entry(
                out.nextNumber(), subject, out.now(), Limits.cut(failure.toString(), FAILURE_CHARS), message);
        quarantine.add(entry);
        emit(
                "floodgate.quarantined",
                data -> data.field("id", entry.id())
                        .field("kind", subject.kind())
                        .field("subject", Limits.echo(subject.name())));
        alarms.raise(
                Alarm.RULE_FAILED,
                "A rule failed on %s '%s', which was quarantined. See list-quarantined, and the line before this one."
                        .formatted(subject.kind(), Limits.echo(subject.name())));
    }

    /** Part of a step: everybody may know that there is a defect. */
    void announce(String what, RuntimeException failure) {
        if (announced) return;
        emit(
                "floodgate.processing_failed",
                data -> data.field("offset", out.moment().offset())
                        .field("what", Limits.cut(what, Limits.OP_BYTES))
                        .field("failure", failure.getClass().getSimpleName()));
    }

    private void emit(String type, Consumer<JsonOut> more) {
        String log = out.log().toString();
        JsonOut data = JsonOut.object().field("log", log);
        more.accept(data);
        out.emit(type, log, log, data.endObject());
    }
}
