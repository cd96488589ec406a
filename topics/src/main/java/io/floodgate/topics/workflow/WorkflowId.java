package io.floodgate.topics.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id of a workflow. Partitions know it by its key, which says where it lives and where it stands in lists: of a UUIDv7 the id
 * itself, of another id a hash with a time of 1970, so that it stands behind all others.
 *
 * @param text as its sender chose it, and as it is shown
 */
public record WorkflowId(JobId key, String text) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");

    public static WorkflowId of(JobId id) {
        return new WorkflowId(id, id.toString());
    }

    /** A UUIDv7 may have {@code wf_} before it, which some clients write. */
    public static Optional<WorkflowId> parse(String text) {
        Optional<JobId> id = JobId.parse(text.startsWith("wf_") ? text.substring(3) : text);
        if (id.isPresent()) return id.map(WorkflowId::of);
        return FORM.matcher(text).matches() ? Optional.of(new WorkflowId(hash(text), text)) : Optional.empty();
    }

    /** 106 bits of the hash: two ids with the same key are not to be found. */
    private static JobId hash(String text) {
        try {
            ByteBuffer hash =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
            Slot slot = new Slot(hash.getShort() & 0xFFF, hash.getShort() & 0xFFFF);
            return JobId.make(slot, Integer.toUnsignedLong(hash.getInt()), hash.getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
