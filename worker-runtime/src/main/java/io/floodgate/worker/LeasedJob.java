package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.codec.CodecFailed;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job that was handed out.
 *
 * @param lease the number of the lease it was handed out under: what is reported later counts for this lease only
 * @param timeout how long its handler may run; null for as long as it takes
 * @param json the whole job, with every field that its producer sent
 */
public record LeasedJob(
        JobId id,
        String type,
        String queue,
        JsonNode args,
        int attempt,
        long lease,
        @Nullable Duration timeout,
        JsonNode json) {

    static LeasedJob read(byte[] bytes) {
        JsonNode json = Json.tree(bytes);
        return new LeasedJob(
                JobId.parse(json.required("id").stringValue()).orElseThrow(),
                json.required("type").stringValue(),
                json.required("queue").stringValue(),
                json.required("args"),
                json.path("attempt").intValue(1),
                json.required("lease").longValue(),
                timeout(json.get("timeout_ms")),
                json);
    }

    /** Returns the job with its arguments as they were before their producer has encoded them, if it has. */
    LeasedJob decoded(CodecChain codecs) {
        JsonNode plain = args(json, codecs);
        if (plain.equals(args)) return this;
        ObjectNode whole = ((ObjectNode) json).deepCopy();
        whole.set("args", plain);
        return new LeasedJob(id, type, queue, plain, attempt, lease, timeout, whole);
    }

    static JsonNode args(JsonNode job, CodecChain codecs) {
        JsonNode args = job.path("args");
        JsonNode arg = args.path(0);
        if (!arg.path(CodecChain.ENCODED).booleanValue(false)) return args;
        JsonNode meta = job.path("meta");
        List<String> encodings = new ArrayList<>();
        meta.path(CodecChain.ENCODINGS).forEach(each -> encodings.add(each.stringValue("")));
        if (encodings.isEmpty()) encodings.add(arg.path("encoding").stringValue(""));
        try {
            byte[] data = Base64.getDecoder().decode(arg.path("data").stringValue(""));
            String keyId = meta.path(CodecChain.KEY_ID).stringValue(null);
            return Json.tree(codecs.decode(new CodecChain.Encoded(data, encodings, keyId)));
        } catch (IllegalArgumentException | JacksonException damaged) {
            String id = job.path("id").stringValue("");
            throw new CodecFailed("The arguments of job %s cannot be decoded.".formatted(id), damaged);
        }
    }

    /** Returns whether the job is discarded if its worker is lost: it may have had effects, and must not run twice. */
    boolean discardedOnWorkerLost() {
        return json.path("on_worker_lost").stringValue("").equals("discard");
    }

    private static @Nullable Duration timeout(@Nullable JsonNode millis) {
        return millis != null && millis.isNumber() && millis.longValue() > 0
                ? Duration.ofMillis(millis.longValue())
                : null;
    }
}
