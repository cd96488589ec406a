package io.floodgate.processor.topology.disk;

import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.LocalPartitions;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/** The clients of Kafka Streams: as usual, but the producers inform the stores of commits. */
public final class StreamsClients implements KafkaClientSupplier {
    private final Transactions transactions;
    private final LocalPartitions local;
    private final BooleanSupplier isAbsent;

    /**
     * @param local the logs that can be read without the network
     * @param isAbsent whether other processors have the partitions of this one
     */
    public StreamsClients(Transactions transactions, LocalPartitions local, BooleanSupplier isAbsent) {
        this.local = local;
        this.transactions = transactions;
        this.isAbsent = isAbsent;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return new ClusterAdmin(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new TransactionalProducer(config, transactions);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return local.equals(LocalPartitions.NONE) ? new MainConsumer(config, isAbsent) : local.consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new RestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return LocalPartitions.NONE.consumer(config);
    }
}
