package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The copy of the registry of sources by which a forwarder reads them. */
final class KnownSources {
    private static final Logger LOG = LoggerFactory.getLogger(KnownSources.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Failing failures = new Failing();
    private Map<String, OpenSource> byTopic = Map.of();
    private long revision;

    /** Asks the registry. Returns whether it has changed; while it does not answer, all stays as it is. */
    boolean refresh(CommandClient client) {
        try {
            List<byte[]> lines = Replies.lines(
                    client.call(client.routing().ofSources(), SourceCommand.KEY, new ListSources(revision), PATIENCE));
            failures.ended();
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
            byTopic = sources;
            revision = next;
            return true;
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            if (failures.isNews(failure.getClass().getSimpleName()))
                LOG.warn(
                        "The registry of sources does not answer ({}); sources are read as before.",
                        failure.getMessage());
            return false;
        }
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
