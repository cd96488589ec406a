package io.floodgate.processor.queue.job;

import io.floodgate.processor.queue.state.ErrorLog;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.RunProgress;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored parts of jobs besides their state: what was sent, how runs have failed, and the result of the last one.
 */
public final class Payloads {
    private static final JobId OLDEST = new JobId(0, 0);

    private final KeyValues stored;
    private final RecentJobs recent = new RecentJobs();

    public Payloads(KeyValues stored) {
        this.stored = stored;
    }

    void add(JobRecord job, byte[] payload) {
        stored.put(Keys.payload(job.id), payload);
        recent.add(job.id);
    }

    /** The payload is there as long as the job, whatever becomes of it. */
    boolean has(JobId id) {
        if (!recent.knowsWhereItBegins()) recent.beginAfter(newest());
        if (recent.isCertainlyNew(id)) return false;
        return stored.get(Keys.payload(id)) != null;
    }

    private JobId newest() {
        JobId[] newest = {OLDEST};
        byte[] all = Keys.allPayloads();
        stored.scanBack(all, Keys.after(all), (key, value) -> {
            newest[0] = Keys.jobAtEnd(key);
            return false;
        });
        return newest[0];
    }

    void setResult(JobRecord job, byte[] result) {
        stored.put(Keys.result(job.id), result);
        job.hasResult = true;
    }

    void addError(JobRecord job, byte[] entry) {
        byte[] before = job.hasErrors ? stored.get(Keys.errors(job.id)) : null;
        ErrorLog errors = before == null ? new ErrorLog() : ErrorLog.STORED.read(before);
        stored.put(Keys.errors(job.id), ErrorLog.STORED.write(errors.with(entry)));
        job.hasErrors = true;
    }

    public byte[] payload(JobRecord job) {
        byte[] payload = stored.get(Keys.payload(job.id));
        if (payload == null) throw new IllegalStateException("job %s has lost its payload".formatted(job.id));
        return payload;
    }

    /** Returns the progress that runs have reported so far; null if none. */
    @Nullable
    public RunProgress progress(JobRecord job) {
        byte[] progress = job.hasProgress ? stored.get(Keys.progress(job.id)) : null;
        return progress == null ? null : RunProgress.STORED.read(progress);
    }

    /** Returns whether a run has perhaps committed what it has produced, so that the job must not end as if it had not. */
    public boolean isCommitting(JobRecord job) {
        RunProgress progress = progress(job);
        return progress != null && progress.checkpoint().isCommitting();
    }

    void setProgress(JobRecord job, RunProgress progress) {
        stored.put(Keys.progress(job.id), RunProgress.STORED.write(progress));
        job.hasProgress = true;
    }

    /** Deletes the checkpoint of a job that does not run again (OJS durable execution §5.2). */
    void deleteCheckpoint(JobRecord job) {
        RunProgress progress = progress(job);
        if (progress != null && progress.checkpoint().saved() != null) setProgress(job, progress.withoutCheckpoint());
    }

    private byte @Nullable [] errors(JobRecord job) {
        return job.hasErrors ? stored.get(Keys.errors(job.id)) : null;
    }

    public int errorBytes(JobRecord job) {
        byte[] errors = errors(job);
        return errors == null ? 0 : errors.length;
    }

    /** Returns the error type of the last failed run; null if none has failed. */
    @Nullable
    public String lastErrorType(JobRecord job) {
        byte[] errors = errors(job);
        return errors == null
                ? null
                : MemberWalk.text(ErrorLog.STORED.read(errors).last(), "type").orElse(null);
    }

    /** Returns the error of the last failed run, as JSON; null if none has failed. */
    public byte @Nullable [] lastError(JobRecord job) {
        byte[] errors = errors(job);
        return errors == null ? null : ErrorLog.STORED.read(errors).last();
    }

    /** Returns what a job takes with it to another queue. */
    public Past past(JobRecord job) {
        return new Past(errors(job), job.hasProgress ? stored.get(Keys.progress(job.id)) : null);
    }

    void setPast(JobRecord job, Past past) {
        if (past.errors() != null) stored.put(Keys.errors(job.id), past.errors());
        if (past.progress() != null) stored.put(Keys.progress(job.id), past.progress());
        job.hasErrors = past.errors() != null;
        job.hasProgress = past.progress() != null;
    }

    /** @param keptUntil when it is to be removed, if it has ended */
    JobView.JobParts of(JobRecord job, @Nullable Instant keptUntil) {
        byte[] payload = payload(job);
        byte[] errors = errors(job);
        boolean showsResult = job.hasResult && job.state == JobState.COMPLETED;
        return new JobView.JobParts(
                payload,
                errors == null ? null : ErrorLog.STORED.read(errors).show(job.state != JobState.COMPLETED),
                showsResult ? stored.get(Keys.result(job.id)) : null,
                progress(job),
                keptUntil);
    }

    /** Returns the tenant of the job. */
    public String tenant(JobRecord job) {
        byte[] payload = stored.get(Keys.payload(job.id));
        return payload == null ? TenantId.DEFAULT : TenantId.of(payload);
    }

    void remove(JobRecord job) {
        stored.delete(Keys.payload(job.id));
        if (job.hasErrors) stored.delete(Keys.errors(job.id));
        if (job.hasResult) stored.delete(Keys.result(job.id));
        if (job.hasProgress) stored.delete(Keys.progress(job.id));
    }

    /** Deletes all parts of a job that cannot be read. */
    void erase(JobId id) {
        stored.delete(Keys.payload(id));
        stored.delete(Keys.errors(id));
        stored.delete(Keys.result(id));
        stored.delete(Keys.progress(id));
    }
}
