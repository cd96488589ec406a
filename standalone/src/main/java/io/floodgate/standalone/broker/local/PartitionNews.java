package io.floodgate.standalone.broker.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.partition.PartitionListener;

/** Wakes the thread that polls when there may be something to read. */
public final class PartitionNews implements PartitionListener {
    private final AtomicBoolean here = new AtomicBoolean();
    private final Set<TopicPartition> lost = ConcurrentHashMap.newKeySet();
    private volatile Thread reader = Thread.currentThread();

    @Override
    public void onHighWatermarkUpdated(TopicPartition partition, long offset) {
        tell();
    }

    @Override
    public void onFailed(TopicPartition partition) {
        isLost(partition);
    }

    @Override
    public void onDeleted(TopicPartition partition) {
        isLost(partition);
    }

    @Override
    public void onBecomingFollower(TopicPartition partition) {
        isLost(partition);
    }

    /** There are no more calls for it, not even if there is another one under its name. */
    private void isLost(TopicPartition partition) {
        lost.add(partition);
        tell();
    }

    void tell() {
        if (!here.getAndSet(true)) LockSupport.unpark(reader);
    }

    void await(long nanos) {
        reader = Thread.currentThread();
        if (!here.get()) LockSupport.parkNanos(this, nanos);
    }

    void read() {
        here.set(false);
    }

    /** Partitions of which no more news comes. */
    Set<TopicPartition> lost() {
        return lost;
    }
}
