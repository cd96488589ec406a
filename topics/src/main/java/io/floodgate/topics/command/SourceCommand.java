package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.json.WireName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands to the registry of sources, all of which are in one partition. */
public sealed interface SourceCommand extends Command {
    /** The key of commands to the registry. */
    String KEY = "sources";

    /** Sources that there may be: each processor has a copy of all. */
    int MOST = 200;

    String NAME = "[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?";
    /** Names of topics, as Kafka has them. */
    String TOPIC = "[a-zA-Z0-9._-]{1,249}";

    int TEMPLATE_BYTES = 16 * 1024;
    /** Offsets of some hundred partitions. */
    int START_CHARS = 8 * 1024;

    /** What the values of records are. */
    enum ValueForm implements WireName {
        JSON,
        /** JSON behind the five bytes that Confluent's serializers write first. */
        CONFLUENT_JSON,
        TEXT,
        /** Any bytes, which jobs have as Base64. */
        BASE64
    }

    /**
     * How records become jobs.
     *
     * @param job the job, with paths into the record; see {@code SourceTemplate}
     * @param deadLetters the topic of records that cannot become jobs; null for none
     */
    record Mapping(
            ValueForm value,
            byte[] job,
            @Wire.Matches(TOPIC) @Nullable String deadLetters) {}

    /**
     * Where reading begins.
     *
     * @param at {@code earliest}, {@code latest}, a time, or a JSON object of offsets by partition: others begin with their
     *     oldest record
     * @param epoch another one for each beginning: how far records have come in counts within one
     */
    record Beginning(
            @Wire.Name("start") @Wire.Most(START_CHARS) String at,
            @Wire.Least(0) long epoch) {
        public static final String EARLIEST = "earliest";
        public static final String LATEST = "latest";
    }

    /**
     * A topic whose records become jobs of a queue.
     *
     * @param isPaused it is not read for the time being
     * @param revision of the registry when it was changed last
     */
    record Source(
            @Wire.Matches(NAME) String name,
            @Wire.Matches(TOPIC) String topic,
            String queue,
            @Wire.Inline Mapping mapping,
            @Wire.Inline Beginning beginning,
            boolean isPaused,
            @Wire.Rfc3339 Instant createdAt,
            @Wire.Least(0) long revision) {}

    /** Makes a source, or changes how its records become jobs: its topic and its queue stay. */
    record PutSource(
            @Wire.Matches(NAME) String name,
            @Wire.Matches(TOPIC) String topic,
            String queue,
            @Wire.Inline Mapping mapping,
            @Wire.Most(START_CHARS) String start,
            boolean isPaused)
            implements SourceCommand {}

    /**
     * Changes a source.
     *
     * @param paused null if that stays as it is
     * @param start from where it is read again; null to read on
     */
    record ChangeSource(
            @Wire.Matches(NAME) String name,
            @Nullable Boolean paused,
            @Wire.Most(START_CHARS) @Nullable String start) implements SourceCommand {}

    record DeleteSource(@Wire.Matches(NAME) String name) implements SourceCommand {}

    /**
     * All sources, behind a line with the revision of the registry; only that line, if nothing has changed.
     *
     * @param seen the revision of the copy that the caller has; 0 for none
     */
    record ListSources(@Wire.Least(0) long seen) implements SourceCommand {}
}
