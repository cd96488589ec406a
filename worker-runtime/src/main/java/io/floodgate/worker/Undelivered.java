package io.floodgate.worker;

import io.floodgate.topics.command.JobCommand;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps reports that outlive the process, if the worker has a journal. A disk that fails is no reason to stop working.
 */
final class Undelivered implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Undelivered.class);

    private final @Nullable OutcomeJournal journal;
    private final WorkerMeters meters;

    Undelivered(@Nullable OutcomeJournal journal, WorkerMeters meters) {
        this.journal = journal;
        this.meters = meters;
        if (journal != null) meters.watch(journal);
    }

    boolean survive() {
        return journal != null;
    }

    /** Returns the reports that an earlier worker could not send. */
    Map<Long, JobCommand> left() {
        return journal == null ? Map.of() : journal.unsent();
    }

    /** Keeps a report. Returns its number in the journal; null if it is not there. */
    @Nullable
    Long keep(JobCommand report) {
        if (journal == null) return null;
        try {
            OptionalLong number = journal.write(report);
            if (number.isPresent()) return number.getAsLong();
            LOG.error("Job {}: the journal is full, its outcome is held in memory only.", report.job());
            meters.notJournaled("full").increment();
        } catch (IOException failure) {
            LOG.error(
                    "Job {}: its outcome is held in memory only, for the journal cannot be written ({}).",
                    report.job(),
                    failure.toString());
            meters.notJournaled("failed").increment();
        }
        return null;
    }

    void done(@Nullable Long number) {
        if (journal == null || number == null) return;
        try {
            journal.done(number);
        } catch (IOException failure) {
            LOG.warn("The journal cannot be written ({}); report {} may be sent again.", failure.toString(), number);
        }
    }

    @Override
    public void close() {
        if (journal == null) return;
        try {
            journal.close();
        } catch (IOException failure) {
            LOG.warn("The journal could not be closed ({}).", failure.toString());
        }
    }
}
