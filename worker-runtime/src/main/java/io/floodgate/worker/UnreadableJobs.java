package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs with something in them that this worker cannot hold, such as a number of a hundred billion digits. */
final class UnreadableJobs {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableJobs.class);
    private static final byte[] NO_DETAILS = {'{', '}'};

    private UnreadableJobs() {}

    /**
     * Reports a job that cannot be read. No attempt can mend it: it fails for good. An error of the virtual machine
     * says nothing of the job, which is given back. Ends once there is nothing left to report.
     */
    static CompletableFuture<?> report(byte[] json, Throwable why, Reporter reporter) {
        String message = "This worker cannot read the job: " + why.getMessage();
        ErrorReport error = new ErrorReport(
                "job_unreadable",
                "job_unreadable",
                Limits.cut(message, ErrorReport.MAX_MESSAGE_CHARS - 1),
                false,
                NO_DETAILS);
        try {
            Members members = Members.of(json);
            String id = members.text("id");
            Long lease = members.number("lease");
            Optional<JobId> job = id == null ? Optional.empty() : JobId.parse(id);
            if (job.isPresent() && lease != null)
                return why instanceof VirtualMachineError
                        ? reporter.giveBackUnread(job.get(), lease, RunOutcome.GivenBack.notStarted(why))
                        : reporter.reportUnreadable(job.get(), lease, error);
        } catch (MalformedJson noJson) {
            LOG.error("What was handed out is no JSON: {}", noJson.getMessage());
        }
        LOG.error("A job without a readable id and lease is left to the end of its lease.");
        return CompletableFuture.completedFuture(null);
    }
}
