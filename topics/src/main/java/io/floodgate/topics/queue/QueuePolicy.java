package io.floodgate.topics.queue;

import java.util.Set;

/** What an operator has decided about the jobs of a queue, bounds apart. */
public record QueuePolicy(JobDefaults jobs, Keeping keeping, DeadLettering deadLetters, Access access) {
    public static final QueuePolicy NONE =
            new QueuePolicy(JobDefaults.NONE, Keeping.NONE, DeadLettering.NONE, Access.NONE);

    public boolean isNone() {
        return equals(NONE);
    }

    public QueuePolicy with(JobDefaults decided) {
        return new QueuePolicy(decided, keeping, deadLetters, access);
    }

    public QueuePolicy with(Keeping decided) {
        return new QueuePolicy(jobs, decided, deadLetters, access);
    }

    public QueuePolicy with(DeadLettering decided) {
        return new QueuePolicy(jobs, keeping, decided, access);
    }

    public QueuePolicy with(Access decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, decided);
    }

    /** What is decided here, and otherwise there: each field by itself. */
    public QueuePolicy over(QueuePolicy other) {
        return new QueuePolicy(
                jobs.over(other.jobs),
                keeping.over(other.keeping),
                deadLetters.over(other.deadLetters),
                access.over(other.access));
    }

    QueuePolicy without(Set<String> names) {
        return new QueuePolicy(
                jobs.without(names), keeping.without(names), deadLetters.without(names), access.without(names));
    }
}
