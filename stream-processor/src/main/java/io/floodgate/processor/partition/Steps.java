package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.PartitionPosition;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Staging;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.topics.command.ReplyTo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps: what each of them causes is kept or dropped as a whole, in the stores and in memory. */
final class Steps {
    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

    private final Staging staging;
    private final Timers timers;
    private final Undo undo;
    private final PartitionPosition position;
    private final Quarantine quarantine;
    private final QueueRules queues;
    private final List<Entity> entities;
    private final Effects out;
    private final LocalMessages locals;
    private StepLimit limit = StepLimit.NONE;
    /** Number of the step within the record at hand. */
    private int number;

    Steps(
            Staging staging,
            PartitionPosition position,
            QueueRules queues,
            List<Entity> entities,
            LocalMessages locals,
            PartitionContext context) {
        this.staging = staging;
        this.position = position;
        this.queues = queues;
        this.entities = entities;
        this.locals = locals;
        timers = context.timers();
        undo = context.undo();
        quarantine = context.quarantine();
        out = context.out();
    }

    void limit(StepLimit newLimit) {
        limit = newLimit;
    }

    /** Steps are numbered within their record. */
    void beginRecord() {
        number = 0;
    }

    /** Rebuilds from the stores what is held in memory. */
    void load() {
        timers.clear();
        entities.forEach(Entity::load);
        leaveOut();
        undo.forget();
    }

    private void leaveOut() {
        for (Quarantine.Entry entry : quarantine.all()) {
            Quarantine.Subject subject = entry.subject();
            if (subject.kind().equals(Quarantine.TIMER)) timers.cancelAbout(subject.name());
            else for (Entity entity : entities) if (entity.quarantine(subject)) break;
        }
    }

    /** Executes a step. Returns what it threw, if a rule failed and nothing of it has happened. */
    @Nullable
    RuntimeException tryTo(@Nullable ReplyTo replyTo, Runnable rule, Outcome outcome) {
        out.beginStep(replyTo);
        number++;
        try {
            return execute(rule, outcome);
        } finally {
            limit.end();
        }
    }

    private @Nullable RuntimeException execute(Runnable rule, Outcome outcome) {
        try {
            limit.begin(out.moment().offset(), number);
            rule.run();
            do {
                locals.carryOut();
                out.setBy(null); // who is served now wants it for himself
                entities.forEach(Entity::serve);
            } while (out.hasLocal()); // who was served may be news to an entity of this partition
            entities.forEach(Entity::save);
        } catch (StoreFailure infrastructure) {
            throw infrastructure;
        } catch (RuntimeException bug) {
            rollBack();
            return bug;
        }
        undo.forget();
        position.write();
        staging.keep();
        outcome.add(out, queues.takeChanged());
        return null;
    }

    /** Takes back what the step has done, and only that: a partition of a million jobs must not be read again for one that failed. */
    private void rollBack() {
        staging.drop();
        try {
            undo.rollBack();
            entities.forEach(Entity::rollBack);
            leaveOut();
            undo.forget();
        } catch (StoreFailure infrastructure) {
            throw infrastructure;
        } catch (RuntimeException worse) {
            LOG.error(
                    "Partition {}: a failed step could not be rolled back in memory; loading the partition's state again.",
                    out.log(),
                    worse);
            load();
        }
    }
}
