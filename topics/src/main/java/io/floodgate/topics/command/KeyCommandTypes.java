package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.KEY;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.KeyCommand.ReleaseKey;
import io.floodgate.topics.unique.UniqueReader;
import java.util.List;

/** Commands of operators and gateways about keys of unique jobs. */
final class KeyCommandTypes {
    static final List<CommandType<?>> ROWS = List.of(
            query(GetKey.class, KEY, READS, "Returns the jobs that have a key of unique jobs.")
                    .json(
                            "get-key",
                            (c, out) -> out.field("key", c.key()),
                            in -> new GetKey(key(in.text("key"), "key")))
                    .bounded(),
            query(CheckKeys.class, KEY, WORK, "Counts the keys that jobs have, or that the sender may not have.")
                    .largeJson("check-keys", (c, out) -> out.field("keys", c.keys()), KeyCommandTypes::readCheck)
                    .bounded(c -> Limits.most("keys", c.keys().size(), Limits.JOBS_OF_A_BATCH)),
            query(
                            ListKeys.class,
                            PARTITION,
                            READS,
                            "Lists the jobs that have keys whose home is this partition, by key.")
                    .json("list-keys", (c, out) -> out.field("limit", c.limit()).optional("after", c.after()), in -> {
                        String after = in.optionalText("after");
                        return new ListKeys(
                                in.count("limit", ListKeys.MAX_LIMIT), after == null ? null : key(after, "after"));
                    })
                    .bounded(),
            command(ReleaseKey.class, KEY, WORK, "Takes a key from jobs, which go on.")
                    .json(
                            "release-key",
                            (c, out) -> {
                                JobId job = c.job();
                                out.field("key", c.key()).optional("job_id", job == null ? null : job.toString());
                            },
                            in -> new ReleaseKey(
                                    key(in.text("key"), "key"), in.has("job_id") ? in.job("job_id") : null))
                    .bounded());

    private KeyCommandTypes() {}

    private static CheckKeys readCheck(JsonFields in) throws UnreadableCommand {
        List<String> keys = in.texts("keys");
        for (String each : keys) key(each, "keys");
        return new CheckKeys(keys);
    }

    /** It becomes part of the key of what is stored. */
    static String key(String key, String field) throws UnreadableCommand {
        if (!UniqueReader.isFingerprint(key))
            throw new UnreadableCommand("'%s' must be 64 lower-case hexadecimal digits.".formatted(field));
        return key;
    }
}
