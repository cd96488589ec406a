package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.message;

import io.floodgate.topics.command.Message.DeadLetterMove;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.MoveMessage.CountJobs;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.MoveMessage.MoveJobs;
import io.floodgate.topics.command.MoveMessage.MovedJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Messages between queues when jobs move from one to another: all of them, or a dead letter. */
final class MoveMessageTypes {
    static final List<CommandType<?>> ROWS = List.of(
            message(ExpectJobs.class, QUEUE, "Reserve capacity for the jobs of a queue that is being deleted.")
                    .json("announce-move", MoveMessageTypes::writeExpectJobs, MoveMessageTypes::readExpectJobs)
                    .bounded(),
            message(CountJobs.class, QUEUE, "Count the jobs by type and tenant, and announce the move again.")
                    .json(
                            "count-jobs",
                            (c, out) -> out.field("move", c.move()).field("from", c.from()),
                            in -> new CountJobs(in.number("move"), in.text("from")))
                    .bounded(),
            message(Expected.class, QUEUE, "The capacity is reserved, or there is none.")
                    .json("expected", MoveMessageTypes::writeExpected, MoveMessageTypes::readExpected)
                    .bounded(),
            message(MoveJobs.class, QUEUE, "Store these jobs, in this order.")
                    .largeJson("move-jobs", MoveMessageTypes::writeMoveJobs, MoveMessageTypes::readMoveJobs)
                    .bounded(),
            message(EndMove.class, QUEUE, "No more jobs come: what is left of the reservation is free.")
                    .json(
                            "end-move",
                            (c, out) ->
                                    out.field("source", c.source().toString()).field("move", c.move()),
                            in -> new EndMove(in.log("source"), in.number("move")))
                    .bounded(),
            message(Transfer.class, QUEUE, "Store a job that dies in another queue, or is retried from there.")
                    .largeJson("transfer", MoveMessageTypes::writeTransfer, MoveMessageTypes::readTransfer)
                    .bounded(),
            message(Transferred.class, QUEUE, "The job is stored here now, or stays where it was.")
                    .json("transferred", MoveMessageTypes::writeTransferred, MoveMessageTypes::readTransferred)
                    .bounded(),
            message(HasCome.class, QUEUE, "Asks whether a job has been transferred.")
                    .json(
                            "has-come",
                            (c, out) -> out.field("source", c.source().toString())
                                    .field("job_id", c.job().toString())
                                    .field("queue", c.queue()),
                            in -> new HasCome(in.log("source"), in.job("job_id"), in.text("queue")))
                    .bounded());

    private MoveMessageTypes() {}

    private static void writeExpectJobs(ExpectJobs message, JsonOut out) {
        out.field("source", message.source().toString())
                .field("move", message.move())
                .field("from", message.from())
                .field("queue", message.queue())
                .field("jobs", message.jobs())
                .field("bytes", message.bytes());
        JobCounts counts = message.counts();
        if (counts == null) return;
        write("job_types", counts.types(), out);
        write("tenants", counts.tenants(), out);
    }

    private static void write(String name, SortedMap<String, Long> counts, JsonOut out) {
        out.name(name).beginObject();
        counts.forEach(out::field);
        out.endObject();
    }

    private static ExpectJobs readExpectJobs(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new ExpectJobs(
                in.log("source"),
                in.number("move"),
                in.text("from"),
                in.text("queue"),
                in.natural("jobs"),
                in.natural("bytes"),
                in.has("job_types")
                        ? new JobCounts(new TreeMap<>(in.naturals("job_types")), new TreeMap<>(in.naturals("tenants")))
                        : null);
    }

    private static void writeExpected(Expected message, JsonOut out) {
        out.field("target", message.target().toString())
                .field("move", message.move())
                .field("from", message.from());
        Rejection rejection = message.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
    }

    private static Expected readExpected(JsonFields in) throws UnreadableCommand {
        return new Expected(in.log("target"), in.number("move"), in.text("from"), in.optionalRejection("refusal"));
    }

    private static void writeMoveJobs(MoveJobs message, JsonOut out) {
        out.field("source", message.source().toString())
                .field("move", message.move())
                .field("from", message.from())
                .field("queue", message.queue())
                .name("jobs")
                .beginArray();
        for (MovedJob job : message.jobs()) {
            out.beginObject()
                    .field("job_id", job.job().toString())
                    .field("state", text(job.state()))
                    .fieldRaw("payload", job.payload());
            writePast(job.past(), out);
            out.endObject();
        }
        out.endArray();
    }

    private static MoveJobs readMoveJobs(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<MovedJob> jobs = new ArrayList<>();
        for (byte[] item : in.raws("jobs")) {
            JsonFields job = JsonFields.of(item);
            jobs.add(new MovedJob(job.job("job_id"), job.bytes("state"), job.object("payload"), past(job)));
        }
        return new MoveJobs(in.log("source"), in.number("move"), in.text("from"), in.text("queue"), jobs);
    }

    private static void writeTransfer(Transfer message, JsonOut out) {
        out.field("source", message.source().toString())
                .field("from", message.from())
                .field("queue", message.queue())
                .field("job_id", message.job().toString())
                .field("state", text(message.state()))
                .fieldRaw("payload", message.payload());
        writePast(message.past(), out);
        DeadLetterMove deadLetterMove = message.deadLetterMove();
        if (deadLetterMove == null) return;
        out.name("dead_letter")
                .beginObject()
                .field("reason", deadLetterMove.reason())
                .optional("max_dead_letters", deadLetterMove.maxDeadLetters())
                .field("ttl_ms", deadLetterMove.ttl().toMillis())
                .endObject();
    }

    private static Transfer readTransfer(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Transfer(
                in.log("source"),
                in.text("from"),
                in.text("queue"),
                in.job("job_id"),
                in.bytes("state"),
                in.object("payload"),
                past(in),
                deadLetterMove(in));
    }

    private static void writeTransferred(Transferred message, JsonOut out) {
        out.field("job_id", message.job().toString()).field("queue", message.queue());
        Rejection rejection = message.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
    }

    private static Transferred readTransferred(JsonFields in) throws UnreadableCommand {
        return new Transferred(in.job("job_id"), in.text("queue"), in.optionalRejection("refusal"));
    }

    private static void writePast(Past past, JsonOut out) {
        if (past.errors() != null) out.field("errors", text(past.errors()));
        if (past.progress() != null) out.field("progress", text(past.progress()));
    }

    private static Past past(JsonFields in) throws UnreadableCommand {
        return new Past(optionalBytes("errors", in), optionalBytes("progress", in));
    }

    private static byte @Nullable [] optionalBytes(String name, JsonFields in) throws UnreadableCommand {
        return in.has(name) ? in.bytes(name) : null;
    }

    private static @Nullable DeadLetterMove deadLetterMove(JsonFields in) throws UnreadableCommand, MalformedJson {
        if (in.node("dead_letter") == null) return null;
        JsonFields deadLetterMove = in.fields("dead_letter");
        return new DeadLetterMove(
                deadLetterMove.text("reason"),
                deadLetterMove.optionalNatural("max_dead_letters"),
                deadLetterMove.millis("ttl_ms"));
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
