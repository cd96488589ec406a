package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.fetch.StartLimits;
import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers that show a job, with what holds it back and how full its queue is. */
record JobReplies(Jobs jobs, Bounds bounds, StartLimits limits, Effects out) {
    /** Returns whether a limit holds it back. */
    boolean isLimited(JobRecord job) {
        return limits.limitedBy(job) != null;
    }

    /** Sends the job to the caller that waits for the outcome. */
    void show(JobRecord job) {
        show(job, null);
    }

    void show(JobRecord job, byte @Nullable [] waiting) {
        if (out.replyTo() == null) return;
        JsonOut lines = new JsonOut(1024);
        List<byte[]> load = bounds.loads(List.of(job.queue));
        byte[] full = load.isEmpty() ? null : load.getFirst();
        JobView.inLines(job, jobs.parts(job), limits.limitedBy(job), waiting, full, lines);
        out.reply(lines);
    }
}
