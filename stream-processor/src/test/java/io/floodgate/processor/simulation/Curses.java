package io.floodgate.processor.simulation;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.ForwardingKeyValues;
import io.floodgate.topics.JobId;
import org.jspecify.annotations.Nullable;

/** Jobs that no rule can look at: a read of one finds something that makes no sense. */
record Curses(int oneIn) {
    static final Curses NONE = new Curses(0);

    boolean isOn(JobId job) {
        return oneIn > 0 && Math.floorMod(job.low() >>> 3, oneIn) == 0;
    }

    Stores over(Stores stores) {
        return oneIn == 0 ? stores : new Stores(stores.payloads(), new CursedJobs(stores.jobs()), stores.entities());
    }

    private final class CursedJobs extends ForwardingKeyValues {
        private CursedJobs(KeyValues base) {
            super(base);
        }

        @Override
        public byte @Nullable [] get(byte[] key) {
            byte[] value = base.get(key);
            boolean isLive = Kind.of(key) == 'L';
            if (value != null && isLive && isOn(Keys.jobAtEnd(key))) throw new IllegalStateException("cursed");
            return value;
        }
    }
}
