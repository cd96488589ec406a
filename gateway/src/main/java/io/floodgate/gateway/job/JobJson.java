package io.floodgate.gateway.job;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;

/** A job's members as clients are shown them. */
public final class JobJson {
    private JobJson() {}

    /**
     * Writes all members of a job into the object at hand. Clients read a retry policy's intervals in two forms: both
     * are there.
     */
    public static void members(byte[] job, JsonOut out) {
        MemberWalk members = new MemberWalk(job);
        while (members.next()) member(members, out);
    }

    /**
     * The job for the worker that runs it: how long it may take in milliseconds only, because JavaScript workers take
     * {@code timeout}, which is in seconds, for milliseconds too.
     */
    public static void forWorker(byte[] job, JsonOut out) {
        out.beginObject();
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            boolean seconds = members.nameIs("timeout")
                    && MemberWalk.text(job, "timeout_ms").isPresent();
            if (!seconds) member(members, out);
        }
        out.endObject();
    }

    static void member(MemberWalk members, JsonOut out) {
        if (!members.nameIs("retry") || !members.isObject()) {
            members.copyTo(out);
            return;
        }
        out.name("retry");
        retry(members.raw(), out);
    }

    static void retry(byte[] policy, JsonOut out) {
        out.beginObject();
        MemberWalk retry = new MemberWalk(policy);
        while (retry.next()) {
            retry.copyTo(out);
            String millis = retry.name() + "_ms";
            boolean interval = retry.nameIs("initial_interval") || retry.nameIs("max_interval");
            if (interval && MemberWalk.text(policy, millis).isEmpty())
                Durations.parse(retry.text()).ifPresent(length -> out.field(millis, length.toMillis()));
        }
        out.endObject();
    }
}
