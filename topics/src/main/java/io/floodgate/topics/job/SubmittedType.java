package io.floodgate.topics.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.version.JobVersion;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The type of a submitted job, and its version, which may stand behind the type: {@code invoice.generate@2.0}. A version in a
 * field of its own goes before it (OJS job versioning §5.3).
 *
 * @param version null if the job has none
 * @param behind the version as it stood behind the type, if it counts
 */
record SubmittedType(
        String name, @Nullable JobVersion version, @Nullable String behind) {
    private static final String VERSION = "version";

    static SubmittedType of(Members job) throws UnreadableJob {
        JsonNode node = job.value("type");
        if (node == null) throw UnreadableJob.required("type");
        String text = node.isString() ? node.stringValue() : "";
        int at = text.indexOf('@');
        String name = at < 0 ? text : text.substring(0, at);
        String behind = at < 0 ? null : text.substring(at + 1);
        boolean isReadable = behind == null || !JobVersion.of(behind).isOther();
        if (!isReadable || !EnvelopeReader.isType(name))
            throw new UnreadableJob(Rejection.of(
                            ErrorCode.INVALID_JOB_TYPE,
                            "The 'type' field must be dot-separated lower-case words such as email.send, of at most 255 characters; a version such as @2.0 may follow.")
                    .with("field", "type"));
        if (job.has(VERSION)) return new SubmittedType(name, version(job), null);
        return new SubmittedType(name, behind == null ? null : JobVersion.of(behind), behind);
    }

    private static JobVersion version(Members job) {
        String text = job.text(VERSION);
        JsonNode node = text == null ? job.value(VERSION) : null;
        if (node != null) text = node.isIntegralNumber() ? node.asString() : "";
        return text == null ? JobVersion.OTHER : JobVersion.of(text);
    }
}
