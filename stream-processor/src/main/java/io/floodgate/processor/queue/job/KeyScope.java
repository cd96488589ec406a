package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.command.Identity;

/** The jobs that the sender of the command may access. For others it gets the answer for unknown jobs. */
public record KeyScope(Payloads payloads, Effects out) {
    public boolean hide(JobRecord job) {
        Identity by = out.by();
        return by != null && !by.maySee(job.queue, () -> payloads.tenant(job));
    }
}
