package io.floodgate.gateway.source;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.source.SourceTopics.Row;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.Source;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far sources have come in. Kafka is asked only when a caller wants to know, for metrics and overviews once in ten seconds. */
public final class SourceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);
    private static final Duration KEPT = Duration.ofSeconds(10);
    /** Of a source that was not looked at for longer, it is not known since when it stands still. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);

    /** Rates of shorter times say little. */
    private static final Duration RATED = Duration.ofSeconds(2);

    /** @param still since when it is at this position */
    private record Seen(
            long position,
            Instant at,
            Instant still,
            @Nullable Double perSecond) {
        Seen next(long now, Instant time) {
            Duration since = Duration.between(at, time);
            if (since.compareTo(RATED) < 0) return this;
            double rate = Math.max(0, now - position) * 1_000.0 / since.toMillis();
            return new Seen(now, time, now == position ? still : time, Math.round(rate * 10) / 10.0);
        }
    }

    private final Partitions partitions;
    private final SourceTopics topics;
    private final Clock clock;
    private final Map<String, Seen> seen = new HashMap<>();
    private List<SourceStanding> known = List.of();
    private Instant knownAt = Instant.MIN;

    public SourceWatch(Partitions partitions, SourceTopics topics, Clock clock) {
        this.partitions = partitions;
        this.topics = topics;
        this.clock = clock;
    }

    static List<Source> all(Partitions partitions) throws CommandFailed, RejectedException {
        List<byte[]> lines = partitions.ofSources().ask(new ListSources(0));
        return lines.stream()
                .skip(1)
                .map(line -> ReplyLines.read(Source.class, line))
                .toList();
    }

    /** Returns all sources as they stood at most ten seconds ago; as they stood last, if their registry does not answer. */
    public synchronized List<SourceStanding> lately() {
        Instant now = clock.instant();
        if (knownAt.plus(KEPT).isAfter(now)) return known;
        knownAt = now;
        try {
            known = look(all(partitions));
        } catch (CommandFailed | RejectedException silent) {
            LOG.debug("The registry of sources does not answer.", silent);
        }
        return known;
    }

    /** Returns how these stand now. */
    synchronized List<SourceStanding> look(List<Source> sources) {
        try {
            Map<String, List<Row>> rows = topics.of(sources);
            List<SourceStanding> standings = new ArrayList<>();
            for (Source source : sources) standings.add(standing(source, rows.get(source.name())));
            return standings;
        } catch (KafkaException | CompletionException failure) {
            LOG.warn("The positions of sources are not known: {}", failure.toString());
            return sources.stream().map(SourceStanding::unknown).toList();
        }
    }

    private SourceStanding standing(Source source, @Nullable List<Row> rows) {
        Instant now = clock.instant();
        SourceStanding standing = SourceStanding.of(source, rows);
        if (rows == null) return standing;
        Seen last = seen.get(source.name());
        Seen next = last != null && last.at.plus(FORGOTTEN).isAfter(now)
                ? last.next(standing.position(), now)
                : new Seen(standing.position(), now, now, null);
        seen.put(source.name(), next);
        boolean stands = standing.lag() > 0 && !source.isPaused() && next.still.isBefore(next.at);
        return standing.moving(next.perSecond, stands ? next.still : null);
    }
}
