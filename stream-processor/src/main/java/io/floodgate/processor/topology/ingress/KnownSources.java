package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The copy of the registry of sources by which a forwarder reads them. */
final class KnownSources {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSources.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    /** Each question is a record in the log: where no sources are known, they are few. */
    private static final Duration PERIOD_WITHOUT_SOURCES = Duration.ofSeconds(10);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Failing failures = new Failing();
    private Map<String, OpenSource> byTopic = Map.of();
    private long revision;
    private @Nullable CompletableFuture<Reply> asking;
    private long askedAt = System.nanoTime();
    private int known;
    private volatile boolean isSoon;

    /**
     * Asks the registry now and then, and waits for no answer. Returns whether it has told of a change; while it does not
     * answer, all stays as it is.
     */
    boolean refresh(CommandClient client) {
        CompletableFuture<Reply> asked = asking;
        if (asked == null) {
            Duration period = known == 0 ? PERIOD_WITHOUT_SOURCES : PERIOD;
            if (!isSoon && System.nanoTime() - askedAt < period.toNanos()) return false;
            isSoon = false;
            askedAt = System.nanoTime();
            asking = ask(client);
            return false;
        }
        if (!asked.isDone()) return false;
        asking = null;
        try {
            List<byte[]> lines = Replies.lines(asked.join());
            failures.ended();
            return learn(lines);
        } catch (RejectedException | RuntimeException failure) {
            if (failures.isNews(failure.getClass().getSimpleName()))
                LOG.warn(
                        "The registry of sources does not answer ({}); sources are read as before.",
                        failure.getMessage());
            return false;
        }
    }

    /** There are sources, or were: the next question is asked at once. */
    void mayBeThere() {
        isSoon = true;
    }

    private CompletableFuture<Reply> ask(CommandClient client) {
        try {
            return client.send(client.routing().ofSources(), SourceCommand.KEY, new ListSources(revision), PATIENCE);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private boolean learn(List<byte[]> lines) {
        long next = ReplyLines.read(RegistryHead.class, lines.getFirst()).revision();
        if (next == revision) return false;
        Map<String, OpenSource> sources = new TreeMap<>();
        for (byte[] line : lines.subList(1, lines.size())) {
            Source source = ReplyLines.read(Source.class, line);
            if (source.isPaused()) continue;
            try {
                sources.put(source.topic(), OpenSource.of(source));
            } catch (IllegalArgumentException unusable) {
                LOG.error("The source {} is not read: {}.", source.name(), unusable.getMessage());
            }
        }
        known = lines.size() - 1;
        byTopic = sources;
        revision = next;
        return true;
    }

    /** Returns the source that reads a topic; null for none. */
    @Nullable
    OpenSource of(String topic) {
        return byTopic.get(topic);
    }

    /** Returns a pattern of these topics and of those of all sources. */
    Pattern with(Pattern topics) {
        return Pattern.compile(Stream.concat(
                        Stream.of(topics.pattern()), byTopic.keySet().stream().map(Pattern::quote))
                .collect(Collectors.joining("|")));
    }
}
