package io.floodgate.topics.command;

import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Ingress;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Records of the topics of queues, as they are forwarded. */
final class ForwardCodec {
    private ForwardCodec() {}

    static void write(Forward command, JsonOut out) {
        write(command.ingress(), out);
        out.field("from", command.from())
                .field("offset", command.offset())
                .field("begins", command.begins())
                .field("appended_ms", command.appended().toEpochMilli());
        if (command.maxWait() != null) out.field("wait_ms", command.maxWait().toMillis());
        if (command.wrong() != null) out.fieldRaw("refusal", Reply.write(command.wrong()));
        SignedRequest request = command.request();
        if (request != null) {
            out.name("request")
                    .beginObject()
                    .field("reply_to", request.replyTo().toString())
                    .optional("by", request.by());
            if (request.madeId()) out.field("made_id", true);
            out.field("signature", request.signature()).endObject();
        }
        out.optionalRaw("job", command.job());
    }

    static void write(Ingress ingress, JsonOut out) {
        out.field("queue", ingress.queue())
                .field("topic_id", ingress.topicId())
                .field("partition", ingress.partition());
    }

    static Ingress ingress(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Ingress(in.text("queue"), in.text("topic_id"), (int) in.natural("partition"));
    }

    static Forward read(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Forward(
                ingress(in),
                in.natural("from"),
                in.natural("offset"),
                in.flag("begins"),
                Instant.ofEpochMilli(in.natural("appended_ms")),
                in.optionalMillis("wait_ms"),
                in.optionalRaw("job"),
                in.optionalRejection("refusal"),
                request(in));
    }

    private static @Nullable SignedRequest request(JsonFields in) throws UnreadableCommand, MalformedJson {
        if (in.node("request") == null) return null;
        JsonFields request = in.fields("request");
        try {
            return new SignedRequest(
                    ReplyTo.parse(request.text("reply_to")),
                    request.optionalText("by"),
                    request.flag("made_id"),
                    request.text("signature"));
        } catch (IllegalArgumentException noAddress) {
            throw new UnreadableCommand("'reply_to' is no reply address.");
        }
    }

    static void check(Ingress ingress) throws UnreadableCommand {
        Limits.name("queue", ingress.queue());
        Limits.name("topic_id", ingress.topicId());
    }

    static void check(Forward command) throws UnreadableCommand {
        check(command.ingress());
        Limits.wait(command.maxWait());
        SignedRequest request = command.request();
        if (request != null) {
            Limits.chars("by", request.by(), SignedRequest.BY_CHARS);
            Limits.name("reply_to", request.replyTo().requester());
            Limits.name("signature", request.signature());
        }
        if ((command.job() == null) == (command.wrong() == null))
            throw new UnreadableCommand("Either 'job' or 'refusal' is there.");
    }
}
