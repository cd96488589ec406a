package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.SourceOffsets;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.schema.SchemaCatalog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the flows of a forwarder, and knows which topics it reads: those of queues, and those of sources. */
final class FlowFactory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlowFactory.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final Namespace namespace;
    private final Supplier<CommandClient> clients;
    private final ScheduledExecutorService timer;
    private final BiFunction<TopicPartition, String, CompletableFuture<Long>> beginnings;
    private final Supplier<SourceDeadLetters> deadLetters;
    private final Runnable forwarded;
    private final HeldBytes held = new HeldBytes();
    private final SchemaCatalog schemas = new SchemaCatalog(System::nanoTime);
    private final KnownSources sources = new KnownSources();
    private final Failing failures = new Failing();
    private Flow.@Nullable Common common;

    /**
     * @param clients makes the client that the records are sent with
     * @param beginnings where a source begins: {@code earliest}, {@code latest}, or at a time
     * @param forwarded told of each record that has come in
     */
    FlowFactory(
            Namespace namespace,
            Supplier<CommandClient> clients,
            ScheduledExecutorService timer,
            BiFunction<TopicPartition, String, CompletableFuture<Long>> beginnings,
            Supplier<SourceDeadLetters> deadLetters,
            Runnable forwarded) {
        this.namespace = namespace;
        this.clients = clients;
        this.timer = timer;
        this.beginnings = beginnings;
        this.deadLetters = deadLetters;
        this.forwarded = forwarded;
    }

    /** @param clients makes the client that the records are sent with */
    static FlowFactory of(
            Cluster cluster,
            Admin admin,
            Supplier<CommandClient> clients,
            ScheduledExecutorService timer,
            Runnable forwarded) {
        FlowFactory made = new FlowFactory(
                cluster.namespace(),
                clients,
                timer,
                new SourceOffsets(admin)::of,
                () -> SourceDeadLetters.of(cluster),
                forwarded);
        made.lookForSources(admin);
        return made;
    }

    /** After a restart, sources are read on at once: their group knows of their topics. */
    private void lookForSources(Admin admin) {
        var unused = admin.listConsumerGroupOffsets(namespace.ingressesGroup())
                .partitionsToOffsetAndMetadata()
                .whenComplete((offsets, failure) -> {
                    if (offsets != null
                            && offsets.keySet().stream().anyMatch(each -> !namespace.isIngress(each.topic())))
                        sources.mayBeThere();
                });
    }

    /** Looks which sources there are. Returns whether that has changed. */
    boolean refresh() {
        return sources.refresh(common().client());
    }

    Pattern topics() {
        return sources.with(namespace.ingresses());
    }

    boolean isReady() {
        return schemas.isReady();
    }

    /** Whether a topic is that of a source, or of a queue that can be. */
    boolean isReadable(String topic) {
        return !namespace.isIngress(topic) || EnvelopeReader.isQueueName(namespace.queueOf(topic));
    }

    long heldBytes() {
        return held.bytes();
    }

    /** Whether a topic is to be read in another way than by this flow. */
    boolean isChanged(Flow flow, String topic) {
        return revision(flow.source()) != revision(sources.of(topic));
    }

    private static long revision(@Nullable OpenSource source) {
        return source == null ? -1 : source.source().revision();
    }

    /**
     * Begins to read a partition. Returns null for a topic that is not read any more.
     *
     * @param start of a source; null for what its definition says
     */
    @Nullable
    Flow open(TopicPartition partition, String topicId, @Nullable String start) {
        OpenSource source = sources.of(partition.topic());
        if (source != null) return open(partition, topicId, source, start);
        if (!namespace.isIngress(partition.topic())) return null;
        String queue = namespace.queueOf(partition.topic());
        Flow flow = new Flow(new Ingress(queue, topicId, partition.partition()), null, common());
        flow.open(0);
        return flow;
    }

    private Flow open(TopicPartition partition, String topicId, OpenSource from, @Nullable String start) {
        Source source = from.source();
        var reading = new Ingress.Reading(source.name(), source.beginning().epoch());
        Flow flow = new Flow(new Ingress(source.queue(), topicId, partition.partition(), reading), from, common());
        open(flow, partition, start == null ? source.beginning().at() : start);
        return flow;
    }

    private void open(Flow flow, TopicPartition partition, String start) {
        var unused = beginnings.apply(partition, start).whenComplete((offset, failure) -> {
            if (failure == null) {
                flow.open(offset);
                return;
            }
            if (failures.isNews(failure.toString()))
                LOG.warn("It is not known yet where {} begins ({}); trying again.", partition, failure.toString());
            if (!flow.isClosed()) openLater(flow, partition, start);
        });
    }

    private void openLater(Flow flow, TopicPartition partition, String start) {
        var unused = timer.schedule(
                () -> open(flow, partition, start), PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Flow.Common common() {
        if (common == null) {
            CommandClient client = clients.get();
            common = new Flow.Common(client, schemas.follow(client).start(), timer, held, deadLetters.get(), forwarded);
        }
        return common;
    }

    @Override
    public void close() {
        if (common != null) common.close();
    }
}
