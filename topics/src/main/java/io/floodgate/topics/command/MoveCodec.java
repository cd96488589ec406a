package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.Message.EndMove;
import io.floodgate.topics.command.Message.ExpectJobs;
import io.floodgate.topics.command.Message.Expected;
import io.floodgate.topics.command.Message.MoveJobs;
import io.floodgate.topics.command.Message.MovedJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** What logs tell each other when the jobs of a queue move to another one. */
final class MoveCodec {
    private MoveCodec() {}

    static Encoded encode(ExpectJobs message) {
        return new Encoded(
                "expect-jobs",
                object().field("source", message.source().toString())
                        .field("move", message.move())
                        .field("from", message.from())
                        .field("queue", message.queue())
                        .field("jobs", message.jobs())
                        .field("bytes", message.bytes())
                        .endObject()
                        .toBytes());
    }

    static ExpectJobs expectJobs(JsonFields in) throws UnreadableCommand {
        return new ExpectJobs(
                in.log("source"),
                in.number("move"),
                in.text("from"),
                in.text("queue"),
                in.natural("jobs"),
                in.natural("bytes"));
    }

    static Encoded encode(Expected message) {
        JsonOut out = object().field("target", message.target().toString())
                .field("move", message.move())
                .field("from", message.from());
        Refusal refusal = message.refusal();
        if (refusal != null) out.fieldRaw("refusal", Reply.write(refusal));
        return new Encoded("expected", out.endObject().toBytes());
    }

    static Expected expected(JsonFields in) throws UnreadableCommand {
        return new Expected(in.log("target"), in.number("move"), in.text("from"), in.optionalRefusal("refusal"));
    }

    static Encoded encode(MoveJobs message) {
        JsonOut out = object().field("source", message.source().toString())
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
            TransferCodec.write(job.past(), out).endObject();
        }
        return new Encoded("move-jobs", out.endArray().endObject().toBytes());
    }

    static MoveJobs moveJobs(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<MovedJob> jobs = new ArrayList<>();
        for (byte[] item : in.raws("jobs")) {
            JsonFields job = JsonFields.of(item);
            jobs.add(new MovedJob(
                    job.job("job_id"), job.bytes("state"), job.object("payload"), TransferCodec.past(job)));
        }
        return new MoveJobs(in.log("source"), in.number("move"), in.text("from"), in.text("queue"), jobs);
    }

    static Encoded encode(EndMove message) {
        return new Encoded(
                "end-move",
                object().field("source", message.source().toString())
                        .field("move", message.move())
                        .endObject()
                        .toBytes());
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static JsonOut object() {
        return new JsonOut().beginObject();
    }
}
