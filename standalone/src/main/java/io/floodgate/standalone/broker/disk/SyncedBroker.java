package io.floodgate.standalone.broker.disk;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import kafka.server.BrokerServer;
import kafka.server.NetworkUtils;
import kafka.server.ReplicaManager;
import kafka.server.SharedServer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;

/** Kafka's broker, which acknowledges what is on the disk. */
public final class SyncedBroker extends BrokerServer {
    /**
     * A file that says how far each log was on the disk a moment ago. What is damaged before that, the disk has damaged; what
     * is behind it, a loss of power may have torn.
     */
    public static final String SYNCED_ENDS = "synced-offset-checkpoint";

    private @Nullable SyncedReplicas replicas;

    public SyncedBroker(SharedServer shared) {
        super(shared);
    }

    /** It logs as Kafka's. */
    @Override
    public String loggerName() {
        return BrokerServer.class.getName();
    }

    /** Everything in a broker that appends asks for its partitions here. */
    @Override
    public synchronized @Nullable ReplicaManager replicaManager() {
        ReplicaManager theirs = super.replicaManager();
        if (replicas == null && theirs != null) {
            theirs.shutdown(false); // which ends threads that nothing has used
            replicas = new SyncedReplicas(this, theirs, synced());
        }
        return replicas;
    }

    public GroupSync sync() {
        return Objects.requireNonNull(replicas).sync();
    }

    private GroupSync synced() {
        OffsetCheckpointFile file;
        try {
            file = new OffsetCheckpointFile(
                    new File(config().logDirs().getFirst(), SYNCED_ENDS), logDirFailureChannel());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new GroupSync(this::log, file.read(), ends -> record(file, ends), this::failed);
    }

    /** The controller syncs its log itself. */
    private void record(OffsetCheckpointFile file, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, Long> all = new HashMap<>(ends);
        raftManager()
                .client()
                .highWatermark()
                .ifPresent(committed -> all.put(Topic.CLUSTER_METADATA_TOPIC_PARTITION, committed));
        file.write(all);
    }

    private GroupSync.@Nullable SyncedLog log(TopicPartition partition) {
        Optional<UnifiedLog> log = logManager().getLog(partition, false);
        return log.isPresent() ? new OnDisk(log.get()) : null;
    }

    /** As when Kafka itself cannot write: with its only directory, the broker ends. */
    private void failed(IOException failure) {
        logDirFailureChannel()
                .maybeAddOfflineLogDir(
                        config().logDirs().getFirst(), "The disk has not taken what was written.", failure);
    }

    AddPartitionsToTxnManager transactions() {
        return new AddPartitionsToTxnManager(
                config(),
                NetworkUtils.buildNetworkClient(
                        "AddPartitionsManager",
                        config(),
                        metrics(),
                        time(),
                        new LogContext("[AddPartitionsToTxnManager broker=%d] ".formatted(config().brokerId()))),
                metadataCache(),
                id -> transactionCoordinator().partitionFor(id),
                time());
    }

    private record OnDisk(UnifiedLog log) implements GroupSync.SyncedLog {
        @Override
        @SuppressWarnings("ReferenceEquality") // a log that is made again equals no other
        public boolean isSame(GroupSync.@Nullable SyncedLog other) {
            return other instanceof OnDisk(UnifiedLog same) && same == log;
        }

        @Override
        public long end() {
            return log.logEndOffset();
        }

        /** Its indexes are made again after a loss of power, from the records. */
        @Override
        public void sync(long from) throws IOException {
            boolean hasNewFile = false;
            for (LogSegment segment : log.logSegments(from, Long.MAX_VALUE)) {
                segment.log().flush();
                hasNewFile |= segment.baseOffset() >= from;
            }
            if (hasNewFile) Utils.flushDirIfExists(log.dir().toPath());
            if (from == 0) Utils.flushDirIfExists(log.dir().toPath().getParent());
        }
    }
}
