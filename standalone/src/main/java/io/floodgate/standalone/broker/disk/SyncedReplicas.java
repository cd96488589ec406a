package io.floodgate.standalone.broker.disk;

import io.floodgate.standalone.broker.local.PartitionNews;
import java.util.HashMap;
import java.util.Map;
import kafka.server.ReplicaManager;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest.PartitionData;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.ActionQueue;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.partition.PartitionListener;
import org.apache.kafka.server.quota.ReplicaQuota;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import scala.Function1;
import scala.Option;
import scala.Tuple2;
import scala.collection.Seq;
import scala.runtime.BoxedUnit;

/**
 * The partitions of a broker, whose appends are acknowledged once they are on the disk: to the coordinators of groups and
 * transactions, and to clients, but for those that say {@code acks=1}. Consumers get them by the network then, too. Those in this process see them before; what
 * they do with them waits where it leaves the process.
 */
final class SyncedReplicas extends ReplicaManager {
    private static final short BY_ALL = -1;

    private final GroupSync sync;

    SyncedReplicas(SyncedBroker of, ReplicaManager theirs, GroupSync sync) {
        super(
                of.config(),
                of.metrics(),
                of.time(),
                of.kafkaScheduler(),
                of.logManager(),
                of.remoteLogManagerOpt(),
                of.quotaManagers(),
                of.metadataCache(),
                of.logDirFailureChannel(),
                of.alterPartitionManager(),
                of.brokerTopicStats(),
                Option.empty(),
                Option.empty(),
                Option.empty(),
                Option.empty(),
                Option.empty(),
                Option.empty(),
                () -> of.lifecycleManager().brokerEpoch(),
                Option.apply(of.transactions()),
                theirs.directoryEventHandler(),
                theirs.defaultActionQueue());
        this.sync = sync;
    }

    /** It logs as Kafka's. */
    @Override
    public String loggerName() {
        return ReplicaManager.class.getName();
    }

    GroupSync sync() {
        return sync;
    }

    @Override
    public scala.collection.Map<TopicIdPartition, LogAppendResult> appendRecordsToLeader(
            short acks,
            boolean internal,
            AppendOrigin origin,
            scala.collection.Map<TopicIdPartition, MemoryRecords> records,
            RequestLocal buffers,
            ActionQueue actions,
            scala.collection.Map<TopicPartition, VerificationGuard> guards,
            short transactionVersion) {
        records.keysIterator().foreach(partition -> {
            sync.grows(partition.topicPartition());
            return BoxedUnit.UNIT;
        });
        return super.appendRecordsToLeader(
                acks, internal, origin, records, buffers, actions, guards, transactionVersion);
    }

    @Override
    public void appendRecords(
            long timeout,
            short acks,
            boolean internal,
            AppendOrigin origin,
            scala.collection.Map<TopicIdPartition, MemoryRecords> records,
            Function1<Map<TopicIdPartition, PartitionResponse>, BoxedUnit> done,
            Function1<scala.collection.Map<TopicIdPartition, RecordValidationStats>, BoxedUnit> validated,
            RequestLocal buffers,
            scala.collection.Map<TopicPartition, VerificationGuard> guards,
            short transactionVersion) {
        super.appendRecords(
                timeout,
                acks,
                internal,
                origin,
                records,
                acks == BY_ALL ? answers -> onceOnDisk(done, answers) : done,
                validated,
                buffers,
                guards,
                transactionVersion);
    }

    private BoxedUnit onceOnDisk(
            Function1<Map<TopicIdPartition, PartitionResponse>, BoxedUnit> done,
            Map<TopicIdPartition, PartitionResponse> answers) {
        sync.whenAllIsOnDisk(() -> done.apply(answers));
        return BoxedUnit.UNIT;
    }

    @Override
    public void shutdown(boolean checkpoint) {
        super.shutdown(checkpoint);
        sync.close();
    }

    @Override
    public void fetchMessages(
            FetchParams params,
            Seq<Tuple2<TopicIdPartition, PartitionData>> wanted,
            ReplicaQuota quota,
            Function1<Seq<Tuple2<TopicIdPartition, FetchPartitionData>>, BoxedUnit> done) {
        super.fetchMessages(params, wanted, quota, read -> {
            sync.whenOnDisk(ends(read), () -> done.apply(read));
            return BoxedUnit.UNIT;
        });
    }

    private static Map<TopicPartition, Long> ends(Seq<Tuple2<TopicIdPartition, FetchPartitionData>> read) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        read.foreach(each -> {
            if (each._2.records.sizeInBytes() > 0) ends.put(each._1.topicPartition(), each._2.highWatermark);
            return BoxedUnit.UNIT;
        });
        return ends;
    }

    @Override
    public boolean maybeAddListener(TopicPartition partition, PartitionListener listener) {
        return super.maybeAddListener(partition, onDisk(listener));
    }

    @Override
    public void removeListener(TopicPartition partition, PartitionListener listener) {
        super.removeListener(partition, onDisk(listener));
    }

    /** Coordinators of groups learn from the high watermark that what they have written will stay. */
    private PartitionListener onDisk(PartitionListener listener) {
        return listener instanceof PartitionNews ? listener : new AcknowledgedListener(listener, sync);
    }

    private record AcknowledgedListener(PartitionListener listener, GroupSync sync) implements PartitionListener {
        @Override
        public void onHighWatermarkUpdated(TopicPartition partition, long offset) {
            sync.whenAllIsOnDisk(() -> listener.onHighWatermarkUpdated(partition, offset));
        }

        @Override
        public void onFailed(TopicPartition partition) {
            listener.onFailed(partition);
        }

        @Override
        public void onDeleted(TopicPartition partition) {
            listener.onDeleted(partition);
        }

        @Override
        public void onBecomingFollower(TopicPartition partition) {
            listener.onBecomingFollower(partition);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof AcknowledgedListener same && listener.equals(same.listener);
        }

        @Override
        public int hashCode() {
            return listener.hashCode();
        }
    }
}
