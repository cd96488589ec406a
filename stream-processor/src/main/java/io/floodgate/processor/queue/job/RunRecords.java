package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Cancelled;
import io.floodgate.processor.queue.state.JobChange.Completed;
import io.floodgate.processor.queue.state.JobChange.Discarded;
import io.floodgate.processor.queue.state.JobChange.Dismissed;
import io.floodgate.processor.queue.state.JobChange.Expired;
import io.floodgate.processor.queue.state.JobChange.LeaseLost;
import io.floodgate.processor.queue.state.JobChange.LimitDropped;
import io.floodgate.processor.queue.state.JobChange.Progressed;
import io.floodgate.processor.queue.state.JobChange.Retried;
import io.floodgate.processor.queue.state.JobChange.Superseded;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;

/** Records of the runs of a job: results, progress, errors, and how long runs of a queue take. */
record RunRecords(Queues queues, Payloads payloads, Effects out) {
    private static final byte[] NO_ERROR = {};

    /** Records what the change says about the job's runs. Returns the entry in its error history, if there is one. */
    byte[] record(JobChange change, JobRecord job) {
        return switch (change) {
            case Completed c -> {
                complete(job, c);
                yield NO_ERROR;
            }
            case Cancelled c -> {
                payloads.deleteCheckpoint(job);
                yield NO_ERROR;
            }
            case Superseded c -> {
                payloads.deleteCheckpoint(job);
                yield NO_ERROR;
            }
            case Progressed c -> {
                payloads.setProgress(job, c.progress());
                yield NO_ERROR;
            }
            case Retried c -> fail(job, c.error());
            case Discarded c -> fail(job, c.error());
            case LeaseLost c -> fail(job, c.error());
            // It did not run, so no run has failed.
            case LimitDropped c -> note(job, c.error());
            case Dismissed c -> note(job, c.error());
            case Expired c -> fail(job, ErrorReport.of("enqueue_ttl_expired", "The job expired before it was run."));
            default -> NO_ERROR;
        };
    }

    private void complete(JobRecord job, Completed change) {
        Instant start = job.startedAt == null ? out.now() : job.startedAt;
        queues.of(job)
                .throughput()
                .complete(out.now(), Duration.between(start, out.now()), Duration.between(job.enqueuedAt, start));
        payloads.deleteCheckpoint(job);
        if (change.result() != null) payloads.setResult(job, change.result());
    }

    private byte[] fail(JobRecord job, ErrorReport error) {
        queues.of(job).throughput().fail(out.now());
        return note(job, error);
    }

    private byte[] note(JobRecord job, ErrorReport error) {
        String now = Timestamps.format(out.now());
        JsonOut entry = JsonOut.object().field("attempt", job.attempt);
        error.write(entry).field("occurred_at", now).field("timestamp", now);
        if (job.lease != null) entry.optional("worker_id", job.lease.worker());
        byte[] json = entry.endObject().toBytes();
        payloads.addError(job, json);
        return json;
    }
}
