package io.floodgate.processor.topology;

import io.floodgate.processor.CutOff;
import io.floodgate.processor.partition.StepLimit;
import io.floodgate.processor.partition.StepTooLong;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.PartitionId;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts off steps that take too much processor time. A pause of the machine or of the garbage collector is no such time.
 *
 * <p>The step is written down, and its next access to a store fails. The transaction ends, another thread takes the partition over, and
 * comes to the same step, which then fails as it begins. A step that goes on without an access to a store keeps its thread; its
 * partitions go on when the process is started again.
 */
final class StepWatch {
    static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(StepWatch.class);

    private final CutOffSteps cutOff;
    private final CutOff limits;
    private final LongUnaryOperator cpuTime;
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();

    /** @param cpuTime of a thread, in nanoseconds */
    StepWatch(CutOffSteps cutOff, CutOff limits, LongUnaryOperator cpuTime) {
        this.cutOff = cutOff;
        this.limits = limits;
        this.cpuTime = cpuTime;
    }

    Watched watch(PartitionId partition, Supplier<String> topicId) {
        Watched opened = new Watched(partition, topicId);
        watched.add(opened);
        return opened;
    }

    /** Looks at the steps; to be called from time to time. */
    void look() {
        for (Watched each : watched) {
            try {
                each.look();
            } catch (RuntimeException e) {
                LOG.error(
                        "Partition {}: a step that takes too long could not be cut off; trying again.",
                        each.partition,
                        e);
            }
        }
    }

    /** @param isCutOff whether nothing of it may count */
    private record Step(long thread, long offset, int number, boolean isCutOff) {}

    /** The steps of a partition, which are executed by one thread at a time. */
    final class Watched implements StepLimit {
        private final PartitionId partition;
        private final Supplier<String> topicId;
        private final AtomicReference<@Nullable Step> running = new AtomicReference<>();
        /** The step that the watch saw last, and the time of its thread when it first did. Only the watch uses them. */
        private @Nullable Step seen;

        private long seenAt;
        /** True once the step has failed. Only the thread of the partition uses it. */
        private boolean failed;

        private Watched(PartitionId partition, Supplier<String> topicId) {
            this.partition = partition;
            this.topicId = topicId;
        }

        boolean isCutOff(long offset, int step) {
            return cutOff.has(topicId.get(), partition, offset, step);
        }

        @Override
        public void begin(long offset, int step) {
            if (isCutOff(offset, step)) {
                failed = true;
                throw tooLong();
            }
            running.set(new Step(Thread.currentThread().threadId(), offset, step, false));
        }

        @Override
        public void end() {
            Step ended = running.getAndSet(null);
            if (ended != null && ended.isCutOff) throw new StoreFailure(tooLong());
        }

        boolean takeFailed() {
            boolean before = failed;
            failed = false;
            return before;
        }

        private void check() {
            Step step = running.get();
            if (step != null && step.isCutOff) throw new StoreFailure(tooLong());
        }

        private StepTooLong tooLong() {
            return new StepTooLong(limits.limit().toSeconds());
        }

        private void look() {
            Step step = running.get();
            if (step == null) {
                seen = null;
                return;
            }
            long time = cpuTime.applyAsLong(step.thread);
            if (!step.equals(seen)) {
                seen = step;
                seenAt = time;
            } else if (time - seenAt > limits.limit().toNanos()) {
                if (step.isCutOff) endless(step, time);
                else cutOff(step, time);
            }
        }

        private void cutOff(Step step, long time) {
            // First: a step that fails is executed again at once, and must be known then. One that ends meanwhile
            // counts.
            cutOff.add(topicId.get(), partition, step.offset, step.number);
            Step ended = new Step(step.thread, step.offset, step.number, true);
            if (!running.compareAndSet(step, ended)) return;
            seen = ended;
            seenAt = time;
            LOG.error(
                    "Partition {}, offset {}: step {} took more than {} s of processor time. It is cut off; the partition goes on without it.",
                    partition,
                    step.offset,
                    step.number,
                    limits.limit().toSeconds());
        }

        private void endless(Step step, long time) {
            seenAt = time;
            LOG.error(
                    "Partition {}, offset {}: step {} was cut off and does not end. The partitions of its thread stand still; start this process again, and they go on without the step.",
                    partition,
                    step.offset,
                    step.number);
            limits.whenEndless().run();
        }

        void close() {
            watched.remove(this);
        }

        /** Stores that a step which was cut off can no longer use. */
        Stores over(Stores stores) {
            return new Stores(over(stores.payloads()), over(stores.jobs()), over(stores.entities()));
        }

        private KeyValues over(KeyValues store) {
            return new KeyValues() {
                @Override
                public byte @Nullable [] get(byte[] key) {
                    check();
                    return store.get(key);
                }

                @Override
                public void put(byte[] key, byte[] value) {
                    check();
                    store.put(key, value);
                }

                @Override
                public void putNew(byte[] key, byte[] value) {
                    check();
                    store.putNew(key, value);
                }

                @Override
                public void delete(byte[] key) {
                    check();
                    store.delete(key);
                }

                @Override
                public void withdraw(byte[] key) {
                    check();
                    store.withdraw(key);
                }

                @Override
                public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
                    check();
                    store.scan(from, to, visitor);
                }

                @Override
                public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
                    check();
                    store.scanBack(from, to, visitor);
                }
            };
        }
    }
}
