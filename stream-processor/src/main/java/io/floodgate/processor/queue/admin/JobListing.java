package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.json.JsonOut;

/** Lists jobs without what they carry: a list is for finding them. */
public record JobListing(JobSearch search, Jobs jobs, Effects out) {
    public void list(ListJobs command) {
        JobSearch.Slice slice = search.slice(
                command.filter(),
                command.oldestFirst(),
                command.after(),
                Math.clamp(command.limit(), 1, ListJobs.MAX_LIMIT));
        JobId next = slice.next();
        JsonOut lines = JsonOut.object(4_096)
                .optional("next", next == null ? null : next.toString())
                .endObject()
                .newLine();
        for (JobRecord job : slice.jobs()) {
            JobView.summary(job, lines);
            lines.newLine();
        }
        out.reply(lines);
    }

    public void list(ListLeases command) {
        int limit = Math.clamp(command.limit(), 1, ListLeases.MAX_LIMIT);
        JsonOut lines = new JsonOut(4_096);
        for (JobId id : jobs.leases().ofAnyNamed(command.worker(), limit)) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job == null) continue;
            JobView.summary(job, lines);
            lines.newLine();
        }
        out.aboutNothing();
        out.reply(lines);
    }
}
