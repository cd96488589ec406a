package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.DIRECTORY;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.message;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.PassedOn;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Placed;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Readdressed;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Taken;
import io.floodgate.topics.command.Message.Verify;
import io.floodgate.topics.json.JsonOut;
import java.util.List;

/** Messages between the directory of job ids and the queues. */
final class DirectoryMessageTypes {
    static final List<CommandType<?>> ROWS = List.of(
            message(Place.class, QUEUE, "Store this job: its id is claimed.")
                    .readsValue("store-claimed", RECORD_BYTES, Place::new)
                    .writes(c -> new Encoded("store-claimed", c.job()))
                    .bounded(),
            message(Taken.class, QUEUE, "Asks whether the job of a claimed id has been stored.")
                    .json(
                            "taken",
                            (c, out) -> out.field("job_id", c.job().toString()),
                            in -> new Taken(in.job("job_id")))
                    .bounded(),
            message(Placed.class, DIRECTORY, "The job of a claimed id has been stored.")
                    .json(
                            "placed",
                            (c, out) -> out.field("job_id", c.job().toString()),
                            in -> new Placed(in.job("job_id")))
                    .bounded(),
            message(Release.class, DIRECTORY, "A claimed id is free again.")
                    .json(
                            "release",
                            DirectoryMessageTypes::writeRelease,
                            in -> new Release(in.job("job_id"), in.optionalRejection("refusal")))
                    .bounded(),
            message(Verify.class, PARTITION, "Asks whether these jobs, which the directory has passed on, are there.")
                    .json(
                            "verify",
                            (c, out) -> writeJobs(
                                    c.jobs(),
                                    out.field("directory", c.directory().toString())),
                            in -> new Verify(in.log("directory"), in.passedOn("jobs")))
                    .bounded(),
            message(Missing.class, DIRECTORY, "These jobs are not there: their ids are free.")
                    .json("missing", (c, out) -> writeJobs(c.jobs(), out), in -> new Missing(in.passedOn("jobs")))
                    .bounded(),
            message(Readdress.class, DIRECTORY, "A job is in another queue now.")
                    .json("readdress", DirectoryMessageTypes::writeReaddress, DirectoryMessageTypes::readReaddress)
                    .bounded(),
            message(Readdressed.class, QUEUE, "The directory knows the new queue of a job.")
                    .json(
                            "readdressed",
                            (c, out) -> out.field("job_id", c.job().toString()).field("queue", c.queue()),
                            in -> new Readdressed(in.job("job_id"), in.text("queue")))
                    .bounded());

    private DirectoryMessageTypes() {}

    private static void writeRelease(Release release, JsonOut out) {
        out.field("job_id", release.job().toString());
        Rejection rejection = release.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
    }

    private static void writeJobs(List<PassedOn> jobs, JsonOut out) {
        out.name("jobs").beginArray();
        for (PassedOn job : jobs) {
            out.beginObject().field("job_id", job.job().toString()).field("claim", job.claim());
            if (job.alone()) out.field("alone", true);
            out.endObject();
        }
        out.endArray();
    }

    private static void writeReaddress(Readdress message, JsonOut out) {
        out.field("source", message.source().toString())
                .field("job_id", message.job().toString())
                .field("queue", message.queue())
                .field("hops", message.hops());
    }

    private static Readdress readReaddress(JsonFields in) throws UnreadableCommand {
        int hops = in.has("hops") ? (int) Math.min(in.natural("hops"), Integer.MAX_VALUE) : 0;
        return new Readdress(in.log("source"), in.job("job_id"), in.text("queue"), hops);
    }
}
