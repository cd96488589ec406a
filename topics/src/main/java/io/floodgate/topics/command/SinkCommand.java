package io.floodgate.topics.command;

import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.json.WireName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to the registry of sinks, all of which are in one partition. */
public sealed interface SinkCommand extends Command {
    /** The key of commands to the registry. */
    String KEY = "sinks";

    /** Sinks that there may be: each gateway reads all events for each of them. */
    int MOST = 50;

    int MOST_NAMES = 50;
    int MOST_ERROR_CHARS = 500;

    /** A process that fails says so again within this time: else it has gone, and others may say that it goes well. */
    Duration FAILS_FOR = Duration.ofSeconds(60);

    /** What becomes of a job, or of a run of it. */
    enum Outcome implements WireName {
        COMPLETED,
        /** A run has failed, and perhaps there is another one. */
        FAILED,
        DISCARDED,
        CANCELLED,
        /** A dead letter was retried by hand. */
        RETRIED
    }

    String OUTCOME = "completed|failed|discarded|cancelled|retried";

    /** What the values of records are made of. */
    enum ValueForm implements WireName {
        JSON,
        /** A text as it is; anything else as JSON. */
        TEXT,
        /** The bytes that a text in Base64 stands for. */
        BASE64
    }

    /**
     * Which outcomes of which jobs.
     *
     * @param queues all of them, if it is empty
     * @param jobTypes likewise
     */
    record Selection(
            @Wire.OrEmpty @Wire.Most(MOST_NAMES) List<String> queues,
            @Wire.OrEmpty @Wire.Most(MOST_NAMES) List<String> jobTypes,
            @Wire.Least(1) @Wire.Most(MOST_NAMES) List<String> outcomes) {
        public Selection {
            queues = List.copyOf(queues);
            jobTypes = List.copyOf(jobTypes);
            outcomes = List.copyOf(outcomes);
        }

        public boolean has(Outcome outcome, String queue, String jobType) {
            return outcomes.contains(outcome.wire())
                    && (queues.isEmpty() || queues.contains(queue))
                    && (jobTypes.isEmpty() || jobTypes.contains(jobType));
        }
    }

    /**
     * Where outcomes are written, and how.
     *
     * @param topic a name, or a path into the job
     * @param topics patterns of those that a path may lead to
     * @param record the record, with paths into the job; see {@code SinkTemplate}
     */
    record Target(
            String topic,
            @Wire.OrEmpty @Wire.Most(MOST_NAMES) List<String> topics,
            ValueForm value,
            byte[] record) {
        public Target {
            topics = List.copyOf(topics);
        }
    }

    /**
     * A topic to which outcomes of jobs are written.
     *
     * @param beginning from which time on outcomes are written
     * @param isPaused nothing is written for the time being
     * @param id of no other sink, also of none of the same name before
     * @param revision of the registry when it was changed last
     */
    record Sink(
            @Wire.Matches(SourceCommand.NAME) String name,
            @Wire.Inline Target target,
            @Wire.Inline Selection selection,
            @Wire.Inline Beginning beginning,
            boolean isPaused,
            @Wire.Rfc3339 Instant createdAt,
            @Wire.Least(0) long id,
            @Wire.Least(0) long revision) {}

    /**
     * How the writing goes.
     *
     * @param skipped outcomes that can be no record
     * @param lastSkip why that is so of the last one
     * @param failingSince null while nothing fails
     * @param error what fails
     * @param failedBy the process that has said so
     * @param failedAt when it has said so last
     */
    record Standing(
            @Wire.Least(0) long skipped,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String lastSkip,
            @Wire.Rfc3339 @Nullable Instant failingSince,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String error,
            @Nullable String failedBy,
            @Wire.Rfc3339 @Nullable Instant failedAt) {
        public static final Standing NONE = new Standing(0, null, null, null, null, null);
    }

    /** A line of a reply. */
    record Row(@Wire.Inline Sink sink, @Wire.Inline Standing standing) {}

    /** Makes a sink, or changes it: outcomes that are not written yet are written as it says now. */
    record PutSink(
            @Wire.Matches(SourceCommand.NAME) String name,
            @Wire.Inline Target target,
            @Wire.Inline Selection selection,
            boolean isPaused)
            implements SinkCommand {}

    /**
     * Changes a sink.
     *
     * @param paused null if that stays as it is
     * @param start from where outcomes are written again; null to go on
     */
    record ChangeSink(
            @Wire.Matches(SourceCommand.NAME) String name,
            @Nullable Boolean paused,
            @Wire.Most(SourceCommand.START_CHARS) @Nullable String start)
            implements SinkCommand {}

    record DeleteSink(@Wire.Matches(SourceCommand.NAME) String name) implements SinkCommand {}

    /**
     * All sinks, behind a line with the revision of the registry; only that line, if nothing has changed.
     *
     * @param seen the revision of the copy that the caller has; 0 for none
     */
    record ListSinks(@Wire.Least(0) long seen) implements SinkCommand {}

    /**
     * Reports how the writing goes.
     *
     * @param id of the sink: nothing is reported of another one of that name
     * @param by the process that writes
     * @param skipped outcomes more that can be no record
     * @param lastSkip why; null if there are none
     * @param error what fails; null if nothing does
     */
    record ReportSink(
            @Wire.Matches(SourceCommand.NAME) String name,
            @Wire.Least(0) long id,
            String by,
            @Wire.Least(0) long skipped,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String lastSkip,
            @Wire.Most(MOST_ERROR_CHARS) @Nullable String error)
            implements SinkCommand {}

    /** What a sink is to get. */
    record Wanted(@Wire.Least(0) long id, @Wire.Inline Selection selection) {}

    /** To every partition: which outcomes are for sinks. */
    record WantOutcomes(@Wire.Most(MOST) List<Wanted> sinks) implements Message {
        public WantOutcomes {
            sinks = List.copyOf(sinks);
        }
    }
}
