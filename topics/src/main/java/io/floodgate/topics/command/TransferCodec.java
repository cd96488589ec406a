package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Message.Burial;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Readdressed;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What is said of jobs that go from one queue to another. */
final class TransferCodec {
    private TransferCodec() {}

    private static JsonOut object() {
        return new JsonOut().beginObject();
    }

    static Encoded encode(RetryDead command) {
        JsonOut out = object().field("job_id", command.job().toString());
        if (!command.changes().isNone()) {
            out.name("override");
            command.changes().write(out);
        }
        return new Encoded("retry-dead", out.endObject().toBytes());
    }

    static RetryDead retryDead(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new RetryDead(
                in.job("job_id"), in.node("override") == null ? Overrides.NONE : overrides(in.fields("override")));
    }

    private static Overrides overrides(JsonFields in) throws UnreadableCommand, MalformedJson {
        try {
            Long priority = in.optionalNumber("priority");
            if (priority != null && Math.abs(priority) > Limits.MOST_PRIORITY)
                throw new UnreadableCommand("'priority' is out of range.");
            return new Overrides(
                    in.optionalText("queue"),
                    priority == null ? null : (Integer) priority.intValue(),
                    in.node("args") == null ? null : in.array("args"),
                    in.node("meta") == null ? null : in.object("meta"),
                    in.node("retry") == null ? RetryOptions.NONE : RetryOptions.read(in.members("retry")));
        } catch (UnreadableRetry unreadable) {
            throw new UnreadableCommand(unreadable.message());
        }
    }

    static Encoded encode(Transfer message) {
        JsonOut out = object().field("source", message.source().toString())
                .field("from", message.from())
                .field("queue", message.queue())
                .field("job_id", message.job().toString())
                .field("state", text(message.state()))
                .fieldRaw("payload", message.payload());
        write(message.past(), out);
        Burial burial = message.burial();
        if (burial != null)
            out.name("burial")
                    .beginObject()
                    .field("reason", burial.reason())
                    .optional("most_letters", burial.mostLetters())
                    .field("ttl_ms", burial.ttl().toMillis())
                    .endObject();
        return new Encoded("transfer", out.endObject().toBytes());
    }

    static Transfer transfer(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Transfer(
                in.log("source"),
                in.text("from"),
                in.text("queue"),
                in.job("job_id"),
                in.bytes("state"),
                in.object("payload"),
                past(in),
                burial(in));
    }

    static JsonOut write(Past past, JsonOut out) {
        if (past.errors() != null) out.field("errors", text(past.errors()));
        if (past.progress() != null) out.field("progress", text(past.progress()));
        return out;
    }

    static Past past(JsonFields in) throws UnreadableCommand {
        return new Past(optionalBytes("errors", in), optionalBytes("progress", in));
    }

    private static byte @Nullable [] optionalBytes(String name, JsonFields in) throws UnreadableCommand {
        return in.has(name) ? in.bytes(name) : null;
    }

    private static @Nullable Burial burial(JsonFields in) throws UnreadableCommand, MalformedJson {
        if (in.node("burial") == null) return null;
        JsonFields burial = in.fields("burial");
        return new Burial(burial.text("reason"), burial.optionalNatural("most_letters"), burial.millis("ttl_ms"));
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static Encoded encode(Transferred message) {
        JsonOut out = object().field("job_id", message.job().toString()).field("queue", message.queue());
        Refusal refusal = message.refusal();
        if (refusal != null) out.fieldRaw("refusal", Reply.write(refusal));
        return new Encoded("transferred", out.endObject().toBytes());
    }

    static Encoded encode(HasCome message) {
        return new Encoded(
                "has-come",
                object().field("source", message.source().toString())
                        .field("job_id", message.job().toString())
                        .field("queue", message.queue())
                        .endObject()
                        .toBytes());
    }

    static Encoded encode(Readdress message) {
        return new Encoded(
                "readdress",
                object().field("source", message.source().toString())
                        .field("job_id", message.job().toString())
                        .field("queue", message.queue())
                        .field("hops", message.hops())
                        .endObject()
                        .toBytes());
    }

    static Readdress readdress(JsonFields in) throws UnreadableCommand {
        int hops = in.has("hops") ? (int) Math.min(in.natural("hops"), Integer.MAX_VALUE) : 0;
        return new Readdress(in.log("source"), in.job("job_id"), in.text("queue"), hops);
    }

    static Encoded encode(Readdressed message) {
        return new Encoded(
                "readdressed",
                object().field("job_id", message.job().toString())
                        .field("queue", message.queue())
                        .endObject()
                        .toBytes());
    }
}
