package io.floodgate.processor.topology;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows how stores are brought up to date. */
final class Restoring implements StateRestoreListener {
    private static final Logger LOG = LoggerFactory.getLogger(Restoring.class);
    /** Number of records from which a restoration is logged: it takes seconds. */
    private static final long MUCH = 100_000;

    private final Meters meters;
    private final AbandonedTransactions abandoned;
    private final AtomicInteger underWay = new AtomicInteger();

    Restoring(Meters meters, AbandonedTransactions abandoned) {
        this.meters = meters;
        this.abandoned = abandoned;
        meters.gauge(Meter.RESTORING, underWay::get);
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long begin, long end) {
        underWay.incrementAndGet();
        abandoned.restoring(changelog);
        if (end - begin >= MUCH) LOG.info("Store {} of {} reads back {} records.", store, changelog, end - begin);
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long end, long number) {
        meters.count(Meter.RESTORED, number);
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long total) {
        underWay.decrementAndGet();
        abandoned.restored(changelog);
        if (total >= MUCH) LOG.info("Store {} of {} has read back {} records.", store, changelog, total);
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        underWay.decrementAndGet();
        abandoned.restored(changelog);
    }
}
