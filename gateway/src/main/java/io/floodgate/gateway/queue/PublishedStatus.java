package io.floodgate.gateway.queue;

import io.floodgate.gateway.capacity.AdmissionGates;
import io.floodgate.gateway.capacity.QueueCapacity;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/**
 * A queue's status as its partition published it; of two, the one with the higher version is the newer. What is looked at often
 * is read once.
 *
 * @param oldestAvailable since when the job has been available that has waited longest; null when none waits
 * @param behindKeySince the same of a job that waits for another one of its order key
 */
public record PublishedStatus(
        String name,
        boolean known,
        QueueCapacity room,
        AdmissionGates gates,
        boolean isExplicit,
        @Nullable String oldestAvailable,
        @Nullable String behindKeySince,
        byte[] json) {
    static PublishedStatus read(byte[] json) {
        String name = "";
        long version = 0;
        long depth = 0;
        long bytes = 0;
        boolean known = false;
        boolean restricted = false;
        boolean draining = false;
        boolean explicit = false;
        QueueConfig config = QueueConfig.NONE;
        String oldest = null;
        String behind = null;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) {
            if (members.nameIs("name")) name = members.text();
            else if (members.nameIs("version")) version = Long.parseLong(members.text());
            else if (members.nameIs("depth")) depth = Long.parseLong(members.text());
            else if (members.nameIs("size_bytes")) bytes = Long.parseLong(members.text());
            else if (members.nameIs("config")) config = config(members.raw());
            else if (members.nameIs("created_at")) known = true;
            else if (members.nameIs("oldest_available_at")) oldest = members.text();
            else if (members.nameIs("behind_key_since")) behind = members.text();
            else if (members.nameIs("explicit")) explicit = true;
            else if (members.nameIs("restricted")) restricted = true;
            else if (members.nameIs("state")) draining = members.text().equals("draining");
        }
        QueueCapacity room = new QueueCapacity(version, depth, bytes, config);
        AdmissionGates gates = new AdmissionGates(restricted, draining);
        return new PublishedStatus(name, known, room, gates, explicit, oldest, behind, json);
    }

    public long version() {
        return room.version();
    }

    /** Returns the configuration that was decided for the queue. */
    public QueueConfig config() {
        return room.config();
    }

    private static QueueConfig config(byte[] json) {
        if (json.length == 2) return QueueConfig.NONE;
        try {
            return QueueConfigCodec.read(json);
        } catch (UnreadableCommand unreadable) {
            throw new IllegalArgumentException("a status that no partition can have published", unreadable);
        }
    }

    /** Returns how full the queue is, from 0 to 1; 0 without a bound. */
    public double pressure() {
        return config().isBounded() ? Math.min(1, config().pressure(room.depth(), room.bytes())) : 0;
    }

    public boolean isPaused() {
        return MemberWalk.text(json, "paused").orElse("").equals("true");
    }

    public long number(String name) {
        return MemberWalk.text(json, name).map(Long::parseLong).orElse(0L);
    }
}
