package io.floodgate.standalone.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.metadata.BrokerRegistrationFencingChange;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * The metadata log of a broker that does not run, as its files have it.
 *
 * @param segment to which the next batch belongs
 * @param validBytes of that segment: up to the end of its last whole batch
 * @param endOffset of the next record
 * @param leaderEpoch of the last batch
 * @param registration what is known last of our broker
 */
record MetadataLog(
        Path segment, long validBytes, long endOffset, int leaderEpoch, Optional<Registration> registration) {

    /** @param epoch by which the controller distinguishes the lives of a broker */
    record Registration(long epoch, boolean fenced) {}

    static MetadataLog read(Path directory) throws IOException {
        var segments = filesIn(directory, ".log");
        if (segments.isEmpty()) throw new IOException("no metadata log in " + directory);
        var last = Scan.of(segments.getLast());
        if (last.validBytes == 0) throw new IOException("nothing in " + segments.getLast());
        var registration = last.registration;
        for (int i = segments.size() - 2; i >= 0 && registration.isEmpty(); i--)
            registration = Scan.of(segments.get(i)).registration;
        // A snapshot sums up a beginning of the log: what the log itself says is newer.
        var snapshots = filesIn(directory, ".checkpoint");
        if (registration.isEmpty() && !snapshots.isEmpty()) registration = Scan.of(snapshots.getLast()).registration;
        return new MetadataLog(segments.getLast(), last.validBytes, last.endOffset, last.leaderEpoch, registration);
    }

    /** Their names begin with offsets of a fixed length, so the newest is the last. */
    private static List<Path> filesIn(Path directory, String suffix) throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(suffix))
                    .sorted(Comparator.comparing(Path::getFileName))
                    .toList();
        }
    }

    /** A batch to append: this life of our broker is over. */
    ByteBuffer fence(long brokerEpoch) {
        var fenced = new BrokerRegistrationChangeRecord()
                .setBrokerId(BrokerProperties.NODE_ID)
                .setBrokerEpoch(brokerEpoch)
                .setFenced(BrokerRegistrationFencingChange.FENCE.value());
        return MemoryRecords.withRecords(
                        RecordBatch.MAGIC_VALUE_V2,
                        endOffset,
                        Compression.NONE,
                        TimestampType.CREATE_TIME,
                        RecordBatch.NO_PRODUCER_ID,
                        RecordBatch.NO_PRODUCER_EPOCH,
                        RecordBatch.NO_SEQUENCE,
                        leaderEpoch,
                        false,
                        new SimpleRecord(
                                System.currentTimeMillis(), serialized(new ApiMessageAndVersion(fenced, (short) 0))))
                .buffer();
    }

    private static byte[] serialized(ApiMessageAndVersion message) {
        var cache = new ObjectSerializationCache();
        var buffer = ByteBuffer.allocate(MetadataRecordSerde.INSTANCE.recordSize(message, cache));
        MetadataRecordSerde.INSTANCE.write(message, cache, new ByteBufferAccessor(buffer));
        return buffer.array();
    }

    /** One file, from its beginning to the end of its last whole batch. */
    private static final class Scan {
        private long validBytes;
        private long endOffset;
        private int leaderEpoch;
        private Optional<Registration> registration = Optional.empty();

        static Scan of(Path file) throws IOException {
            var scan = new Scan();
            try (var records = FileRecords.open(file.toFile(), false)) {
                for (var batch : records.batches()) {
                    batch.ensureValid();
                    if (!batch.isControlBatch()) for (var each : batch) scan.take(each.value());
                    scan.validBytes += batch.sizeInBytes();
                    scan.endOffset = batch.nextOffset();
                    scan.leaderEpoch = batch.partitionLeaderEpoch();
                }
            } catch (CorruptRecordException torn) {
                // here it ends
            }
            return scan;
        }

        private void take(ByteBuffer value) {
            var message = MetadataRecordSerde.INSTANCE
                    .read(new ByteBufferAccessor(value), value.remaining())
                    .message();
            if (message instanceof RegisterBrokerRecord born && born.brokerId() == BrokerProperties.NODE_ID)
                registration = Optional.of(new Registration(born.brokerEpoch(), born.fenced()));
            else if (message instanceof BrokerRegistrationChangeRecord changed
                    && changed.brokerId() == BrokerProperties.NODE_ID)
                registration = Optional.of(new Registration(changed.brokerEpoch(), isFenced(changed)));
        }

        /** A change may be about something else. */
        private boolean isFenced(BrokerRegistrationChangeRecord changed) {
            return switch (BrokerRegistrationFencingChange.fromValue(changed.fenced())
                    .orElseThrow()) {
                case FENCE -> true;
                case UNFENCE -> false;
                case NONE -> registration.isPresent() && registration.get().fenced();
            };
        }
    }
}
