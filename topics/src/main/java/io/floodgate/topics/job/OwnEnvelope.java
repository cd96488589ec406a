package io.floodgate.topics.job;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import org.jspecify.annotations.Nullable;

/** Reads and writes the owner of a job, which gets its outcome; only partitions set it. */
public final class OwnEnvelope {
    public static final String OWNER = "floodgate.owner";

    private OwnEnvelope() {}

    static @Nullable JobOwner owner(Members job) throws MalformedJson {
        Members owner = job.object(OWNER);
        if (owner == null) return null;
        String kind = owner.text("kind");
        String home = owner.text("home");
        String name = owner.text("name");
        String ticket = owner.text("ticket");
        if (kind == null || home == null || name == null || ticket == null) return null;
        try {
            return new JobOwner(kind, PartitionId.parse(home), name, ticket, true);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
