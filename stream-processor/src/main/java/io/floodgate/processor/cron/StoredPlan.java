package io.floodgate.processor.cron;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.SchedulePlan.PlannedGap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The stored form of a plan: it is read with every occurrence. */
final class StoredPlan {
    private static final int VERSION = 1;

    private StoredPlan() {}

    static byte[] write(SchedulePlan plan) {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .text(plan.tzdata())
                .number(plan.times().size());
        long last = 0;
        for (Instant time : plan.times()) {
            out.number(time.toEpochMilli() - last);
            last = time.toEpochMilli();
        }
        out.number(plan.gaps().size());
        for (PlannedGap gap : plan.gaps()) out.time(gap.at()).number(gap.skipped());
        return out.toBytes();
    }

    /**
     * The part of a plan that matters now: its times after those that were consumed, up to the first that is not due yet.
     *
     * @param further how many more there are
     */
    record Near(SchedulePlan plan, int further) {
        static final Near NONE = new Near(SchedulePlan.NONE, 0);
    }

    /** Times that are far ahead are counted only: there are hundreds, and this is read with every occurrence. */
    static Near near(byte[] stored, Instant consumed, Instant now) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the plan of a schedule");
        String tzdata = in.text();
        List<Instant> times = new ArrayList<>();
        int further = 0;
        long from = consumed.toEpochMilli();
        long due = now.toEpochMilli();
        long time = 0;
        boolean isAhead = false;
        for (int left = in.integer(); left > 0; left--) {
            time += in.number();
            if (isAhead) {
                further++;
                continue;
            }
            // mutant: consumed-occurrence
            if (time <= from) continue;
            times.add(Instant.ofEpochMilli(time));
            isAhead = time > due;
        }
        return new Near(new SchedulePlan(times, gaps(in), tzdata), further);
    }

    private static List<PlannedGap> gaps(BinaryIn in) {
        List<PlannedGap> gaps = new ArrayList<>();
        for (int left = in.integer(); left > 0; left--) gaps.add(new PlannedGap(in.time(), in.integer()));
        return gaps;
    }

    static SchedulePlan read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the plan of a schedule");
        String tzdata = in.text();
        int size = in.integer();
        List<Instant> times = new ArrayList<>(size);
        long last = 0;
        for (int i = 0; i < size; i++) {
            last += in.number();
            times.add(Instant.ofEpochMilli(last));
        }
        return new SchedulePlan(times, gaps(in), tzdata);
    }
}
