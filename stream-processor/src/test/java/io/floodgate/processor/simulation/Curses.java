package io.floodgate.processor.simulation;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.JobId;
import java.util.function.BiPredicate;
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

    private final class CursedJobs implements KeyValues {
        private final KeyValues base;

        private CursedJobs(KeyValues base) {
            this.base = base;
        }

        @Override
        public byte @Nullable [] get(byte[] key) {
            byte[] value = base.get(key);
            boolean isLive = Kind.of(key) == 'L';
            if (value != null && isLive && isOn(Keys.jobAtEnd(key))) throw new IllegalStateException("cursed");
            return value;
        }

        @Override
        public void put(byte[] key, byte[] value) {
            base.put(key, value);
        }

        @Override
        public void delete(byte[] key) {
            base.delete(key);
        }

        @Override
        public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            base.scan(from, to, visitor);
        }

        @Override
        public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            base.scanBack(from, to, visitor);
        }
    }
}
