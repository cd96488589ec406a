package io.floodgate.standalone.broker.local;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Which batches of a stretch of a log a consumer of committed records passes over. */
final class AbortedBatches {
    private final Deque<AbortedTransaction> toCome;
    private final Set<Long> aborted = new HashSet<>();

    /** @param aborted those that the stretch has a part of */
    AbortedBatches(List<AbortedTransaction> aborted) {
        toCome = new ArrayDeque<>(aborted.stream()
                .sorted(Comparator.comparingLong(AbortedTransaction::firstOffset))
                .toList());
    }

    /** To be asked for each batch, in order: whether it is the end of a transaction, or part of an aborted one. */
    boolean isNothing(RecordBatch batch) {
        while (!toCome.isEmpty() && toCome.element().firstOffset() <= batch.lastOffset())
            aborted.add(toCome.remove().producerId());
        if (batch.isControlBatch()) {
            if (isAbort(batch)) aborted.remove(batch.producerId());
            return true;
        }
        return batch.isTransactional() && aborted.contains(batch.producerId());
    }

    private static boolean isAbort(RecordBatch control) {
        var records = control.iterator();
        return records.hasNext() && ControlRecordType.parse(records.next().key()) == ControlRecordType.ABORT;
    }
}
