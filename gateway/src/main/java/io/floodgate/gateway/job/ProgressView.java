package io.floodgate.gateway.job;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job's progress, as the partition shows it with the job (OJS progress §7).
 *
 * @param said what its latest run has said, an object; null if nothing
 * @param checkpoint where the next run can go on; null if it has to begin again
 */
record ProgressView(JobId job, String state, byte @Nullable [] said, byte @Nullable [] checkpoint) {
    private static final byte[] NOTHING = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_MEMBERS = {'{', '}'};
    private static final Set<String> ENDED = Set.of("completed", "discarded", "cancelled");

    /** @param shown the job, or what a partition answers to a report */
    static ProgressView of(JobId id, byte[] shown) {
        String state = "";
        byte[] said = null;
        byte[] checkpoint = null;
        MemberWalk members = new MemberWalk(shown);
        while (members.next()) {
            if (members.nameIs("state")) state = members.text();
            else if (members.nameIs("progress") && members.isObject()) said = members.raw();
            else if (members.nameIs("last_checkpoint") && members.isObject()) checkpoint = members.raw();
        }
        return new ProgressView(id, state, said, checkpoint);
    }

    boolean hasEnded() {
        return ENDED.contains(state);
    }

    /** Returns what the stream says of the end of a job. */
    String end() {
        return state.equals("discarded") ? "failed" : state;
    }

    /** Returns the time of the last report; empty if there is none. */
    String at() {
        return member("updated_at");
    }

    /** The share of the work that is done, as a number; empty if that was not said. */
    String share() {
        return member("progress");
    }

    private String member(String name) {
        return said == null ? "" : MemberWalk.text(said, name).orElse("");
    }

    /** Writes the progress. A member that was not reported is null, for readers that expect it. */
    JsonOut write(JsonOut out) {
        byte[] share = NOTHING;
        byte[] data = NOTHING;
        out.field("job_id", job.toString()).field("state", state);
        MemberWalk members = new MemberWalk(said == null ? NO_MEMBERS : said);
        while (members.next()) {
            if (members.nameIs("progress")) share = members.raw();
            else if (members.nameIs("data")) data = members.raw();
            else members.copyTo(out);
        }
        return out.fieldRaw("progress", share).fieldRaw("data", data).optionalRaw("last_checkpoint", checkpoint);
    }
}
