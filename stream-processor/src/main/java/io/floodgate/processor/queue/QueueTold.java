package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/**
 * What has become of jobs that did not fit into a queue, and what was told of it: so that nothing is told twice.
 *
 * @param level of pressure: 0 for none, 1 for a warning, 2 for critical
 * @param warned it is above its threshold
 * @param rejected jobs that were refused since the queue came into being
 * @param dropped jobs that made room since then
 * @param untold jobs that were refused since that was told last
 */
record QueueTold(int level, boolean warned, boolean full, long rejected, long dropped, long untold, Instant lastTold) {
    static final QueueTold NOTHING = new QueueTold(0, false, false, 0, 0, 0, Instant.EPOCH);

    boolean isAny() {
        return !equals(NOTHING);
    }

    QueueTold at(int newLevel, boolean nowWarned, boolean nowFull) {
        return new QueueTold(newLevel, nowWarned, nowFull, rejected, dropped, untold, lastTold);
    }

    QueueTold rejected(long jobs) {
        return new QueueTold(level, warned, full, rejected + jobs, dropped, untold + jobs, lastTold);
    }

    QueueTold droppedOne() {
        return new QueueTold(level, warned, full, rejected, dropped + 1, untold, lastTold);
    }

    QueueTold toldAt(Instant now) {
        return new QueueTold(level, warned, full, rejected, dropped, 0, now);
    }

    void write(BinaryOut out) {
        out.u8(level)
                .flag(warned)
                .flag(full)
                .number(rejected)
                .number(dropped)
                .number(untold)
                .time(lastTold);
    }

    static QueueTold read(BinaryIn in) {
        return new QueueTold(in.u8(), in.flag(), in.flag(), in.number(), in.number(), in.number(), in.time());
    }
}
