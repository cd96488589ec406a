package io.floodgate.processor.topology;

import io.floodgate.topics.client.AdminAnswers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions of processors that are gone. A store is restored, and the committed position of its partition
 * known, when all transactions that have written to its changelog have ended: the processor that takes the partition over
 * would wait for their time-out.
 *
 * <p>A processor that gives a partition up commits first. A transaction that is older than the restoration of a changelog
 * and has written to it is therefore one of a processor that has lost the partition.
 */
final class AbandonedTransactions {
    static final Duration PERIOD = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);
    /** Most restorations take less. */
    private static final Duration USUAL = Duration.ofMillis(200);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<TransactionState> OPEN =
            Set.of(TransactionState.ONGOING, TransactionState.PREPARE_ABORT, TransactionState.PREPARE_COMMIT);

    private final Admin admin;
    private final String prefix;
    private final Clock clock;
    /** Changelogs that are being restored, and since when. */
    private final Map<TopicPartition, Instant> restoring = new ConcurrentHashMap<>();

    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param application what transactional ids begin with */
    AbandonedTransactions(Admin admin, String application, Clock clock) {
        this.admin = admin;
        this.clock = clock;
        prefix = application + "-";
    }

    void restoring(TopicPartition changelog) {
        restoring.put(changelog, clock.instant());
    }

    void restored(TopicPartition changelog) {
        restoring.remove(changelog);
    }

    /**
     * Looks at restorations; to be called from time to time. It asks the cluster only while one takes long, and holds
     * up nothing.
     */
    void look() {
        Instant begun = clock.instant().minus(USUAL);
        if (restoring.values().stream().noneMatch(begun::isAfter)) return;
        if (!looking.compareAndSet(false, true)) return;
        Thread.startVirtualThread(() -> {
            try {
                open().forEach(this::endIfAbandoned);
            } catch (KafkaException e) {
                LOG.debug("The open transactions are not known.", e);
            } finally {
                looking.set(false);
            }
        });
    }

    private Map<String, TransactionDescription> open() {
        Set<String> ids = AdminAnswers.await(
                        admin.listTransactions(new ListTransactionsOptions().filterStates(OPEN))
                                .all(),
                        PATIENCE)
                .stream()
                .map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(prefix))
                .collect(Collectors.toSet());
        return ids.isEmpty()
                ? Map.of()
                : AdminAnswers.await(admin.describeTransactions(ids).all(), PATIENCE);
    }

    private void endIfAbandoned(String id, TransactionDescription transaction) {
        Instant begun =
                Instant.ofEpochMilli(transaction.transactionStartTimeMs().orElse(Long.MAX_VALUE));
        boolean isAbandoned = transaction.topicPartitions().stream()
                .anyMatch(written -> begun.isBefore(restoring.getOrDefault(written, Instant.MIN)));
        if (!isAbandoned) return;
        LOG.info("Ending the transaction of {}, which is gone: its partitions wait for it.", id);
        try {
            AdminAnswers.await(admin.fenceProducers(Set.of(id)).all(), PATIENCE);
        } catch (KafkaException e) {
            LOG.warn("The transaction of {} could not be ended. Kafka ends it after its time-out.", id, e);
        }
    }
}
