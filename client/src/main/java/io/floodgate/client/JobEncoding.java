package io.floodgate.client;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.unique.UniqueReader;
import io.floodgate.topics.unique.UnreadableUnique;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Encodes the arguments of jobs, after all middleware (OJS encryption §5.2). */
record JobEncoding(CodecChain codecs) {
    /** @param job in its canonical spelling */
    Job encode(Job job) {
        JsonNode json = job.json();
        JsonNode args = json.path("args");
        if (codecs.codecs().isEmpty() || args.path(0).path(CodecChain.ENCODED).booleanValue(false)) return job;
        CodecChain.Encoded encoded = codecs.encode(Json.MAPPER.writeValueAsBytes(args));
        List<String> encodings = encoded.encodings();
        if (encodings.isEmpty()) return job;
        Map<String, Object> arg = Map.of(
                CodecChain.ENCODED,
                true,
                "encoding",
                encoded.name(),
                "data",
                Base64.getEncoder().encodeToString(encoded.data()));
        Job result = unique(job, json).with("args", List.of(arg)).meta(CodecChain.ENCODINGS, encodings);
        return encoded.keyId() == null ? result : result.meta(CodecChain.KEY_ID, encoded.keyId());
    }

    /** The key of a unique job comes from its arguments as they are (OJS extension interactions §4): none are alike afterwards. */
    private static Job unique(Job job, JsonNode json) {
        if (!(json.get("unique") instanceof ObjectNode policy) || policy.has("unique_key")) return job;
        try {
            byte[] bytes = Json.MAPPER.writeValueAsBytes(policy);
            String queue = json.path("queue").stringValue();
            String key = UniqueReader.read(bytes, job.toJson(), queue, null).fingerprint();
            return job.with("unique", policy.deepCopy().put("unique_key", key));
        } catch (UnreadableUnique impossible) {
            throw new IllegalStateException("a job was taken with a policy that cannot be read", impossible);
        }
    }
}
