package io.floodgate.processor.tenant;

import io.floodgate.topics.command.TenantMessage.AskGrants;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/** The grants of one tenant that one partition has and wants, as the home knows them. */
final class GrantHolder {
    /** Time without a message after which one may be lost. */
    static final Duration LONG = Duration.ofSeconds(5);

    final int partition;
    /** True once it has reported which jobs were there before. */
    boolean open;

    long adopted;
    long given;
    long returned;
    long wanted;
    /** The fewest grants that it can use. */
    long first;
    /** Position among those that want grants, or know that there are none. */
    long turn;
    /** The number of the last message to it. */
    long told;
    /** True once a message has said that the bound is full. */
    boolean full;

    /** True if it returns free grants at once. */
    boolean urgent;

    /** True if it was given a grant that it has not asked for. */
    boolean pushed;

    /** The last recall, and the last one that it has answered. */
    long recall;

    long answered;
    Instant heardAt = Instant.EPOCH;
    /** Queues with most of the tenant's jobs there. */
    TreeMap<String, Long> queues = new TreeMap<>();

    GrantHolder(int partition) {
        this.partition = partition;
    }

    long holds() {
        return adopted + given - returned;
    }

    boolean isAwaited() {
        return recall > answered;
    }

    /** Returns whether nothing has come from it for long: a message may be lost. */
    boolean isQuiet(Instant now) {
        return holds() > 0 && !heardAt.plus(LONG).isAfter(now);
    }

    void take(AskGrants message, Instant now) {
        open = true;
        heardAt = now;
        adopted = Math.max(adopted, message.adopted());
        returned = Math.max(returned, message.returned());
        answered = Math.max(answered, message.recall());
        // What is on its way there is not wanted any more.
        wanted = Math.max(0, message.wanted() - (given - message.received()));
        first = Math.min(Math.max(1, message.first()), wanted);
        // It may not know yet that the bound is full.
        if (message.seen() >= told) full &= message.listens();
        queues = new TreeMap<>(message.queues());
    }

    void give(long grants) {
        given += grants;
        wanted = Math.max(0, wanted - grants);
        first = Math.min(first, wanted);
    }
}
