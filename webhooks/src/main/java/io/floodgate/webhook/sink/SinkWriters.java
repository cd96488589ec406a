package io.floodgate.webhook.sink;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SinkCommand.Row;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sinks for which this process writes, by a copy of their registry. Any number of processes may do so for the same installation. */
public final class SinkWriters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkWriters.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    /** Each question is a record in the log: where no sinks are known, they are few. */
    private static final Duration PERIOD_WITHOUT_SINKS = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(8);

    private final Cluster cluster;
    private final CommandClient client;
    private final MeterRegistry registry;
    private final String process = UUID.randomUUID().toString();
    private final Map<String, SinkWriter> writers = new TreeMap<>();
    private final Failing failures = new Failing();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private long revision;
    private boolean hasSinks;

    private SinkWriters(Cluster cluster, CommandClient client, MeterRegistry registry) {
        this.cluster = cluster;
        this.client = client;
        this.registry = registry;
        thread = Thread.ofPlatform().name("floodgate-sinks").daemon().unstarted(this::run);
    }

    /** @param client of the partitions, which its owner closes later */
    public static SinkWriters start(Cluster cluster, CommandClient client, MeterRegistry registry) {
        SinkWriters writers = new SinkWriters(cluster, client, registry);
        writers.thread.start();
        return writers;
    }

    private void run() {
        boolean isFirst = true;
        try {
            while (isFirst || !isClosing(hasSinks ? PERIOD : PERIOD_WITHOUT_SINKS)) {
                isFirst = false;
                refresh();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosing(Duration within) throws InterruptedException {
        return closing.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void refresh() {
        try {
            List<byte[]> lines = Replies.lines(
                    client.call(client.routing().ofSinks(), SinkCommand.KEY, new ListSinks(revision), PATIENCE));
            failures.ended();
            long now = ReplyLines.read(RegistryHead.class, lines.getFirst()).revision();
            if (now == revision) return;
            Map<String, Row> rows = new HashMap<>();
            for (byte[] line : lines.subList(1, lines.size())) {
                Row row = ReplyLines.read(Row.class, line);
                rows.put(row.sink().name(), row);
            }
            hasSinks = !rows.isEmpty();
            follow(rows);
            revision = now;
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            if (failures.isNews(failure.getClass().getSimpleName()))
                LOG.warn("The registry of sinks does not answer ({}); sinks write as before.", failure.toString());
        }
    }

    private void follow(Map<String, Row> rows) {
        for (var each : Map.copyOf(writers).entrySet()) {
            Row row = rows.get(each.getKey());
            boolean stays = row != null
                    && !row.sink().isPaused()
                    && row.sink().id() == each.getValue().id();
            if (!stays) {
                each.getValue().close();
                writers.remove(each.getKey());
            }
        }
        for (Row row : rows.values()) {
            Sink sink = row.sink();
            if (sink.isPaused()) continue;
            writers.computeIfAbsent(sink.name(), name -> SinkWriter.start(cluster, client, registry, process, sink))
                    .known(row);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(PATIENCE.plusSeconds(1));
            List<Thread> ends = writers.values().stream()
                    .map(writer -> Thread.startVirtualThread(writer::close))
                    .toList();
            for (Thread end : ends) end.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
