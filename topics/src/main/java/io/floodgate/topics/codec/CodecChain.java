package io.floodgate.topics.codec;

import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Codecs that are applied in their order, and backwards to decode (OJS encryption §8). */
public record CodecChain(List<PayloadCodec> codecs) {
    /** The member of {@code meta} that has the encodings, in the order in which they were applied. */
    public static final String ENCODINGS = "ojs.codec.encodings";

    public static final String KEY_ID = "ojs.codec.key_id";
    /** The member of the only argument of an encoded job that says so. */
    public static final String ENCODED = "ojs_encoded";

    /** @param encodings that were applied; none if the codecs have left the arguments as they were */
    public record Encoded(
            byte[] data, List<String> encodings, @Nullable String keyId) {
        /** Returns all encodings as one name, the last one first: {@code binary/encrypted+gzip}. */
        public String name() {
            StringBuilder name = new StringBuilder(encodings.getLast());
            for (String inner : encodings.subList(0, encodings.size() - 1).reversed())
                name.append('+').append(inner, 0, inner.indexOf('/') < 0 ? inner.length() : inner.indexOf('/'));
            return name.toString();
        }
    }

    public Encoded encode(byte[] args) {
        byte[] data = args;
        List<String> applied = new ArrayList<>();
        String keyId = null;
        for (PayloadCodec codec : codecs) {
            byte[] encoded = codec.encode(data);
            if (encoded == null) continue;
            data = encoded;
            applied.add(codec.encoding());
            if (codec.keyId() != null) keyId = codec.keyId();
        }
        return new Encoded(data, applied, keyId);
    }

    public byte[] decode(Encoded encoded) {
        byte[] data = encoded.data;
        for (String encoding : encoded.encodings.reversed()) data = of(encoding).decode(data, encoded.keyId);
        return data;
    }

    /** Returns the arguments of a job as they were before its producer has encoded them, if it has. */
    public JsonNode args(JsonNode job) {
        JsonNode args = job.path("args");
        JsonNode arg = args.path(0);
        if (!arg.path(ENCODED).booleanValue(false)) return args;
        JsonNode meta = job.path("meta");
        List<String> encodings = new ArrayList<>();
        meta.path(ENCODINGS).forEach(each -> encodings.add(each.stringValue("")));
        if (encodings.isEmpty()) encodings.add(arg.path("encoding").stringValue(""));
        try {
            byte[] data = Base64.getDecoder().decode(arg.path("data").stringValue(""));
            String keyId = meta.path(KEY_ID).stringValue(null);
            return Json.tree(decode(new Encoded(data, encodings, keyId)));
        } catch (IllegalArgumentException | JacksonException damaged) {
            String id = job.path("id").stringValue("");
            throw new CodecFailed("The arguments of job %s cannot be decoded.".formatted(id), damaged);
        }
    }

    private PayloadCodec of(String encoding) {
        for (PayloadCodec codec : codecs) if (codec.encoding().equals(encoding)) return codec;
        throw new CodecFailed("There is no codec for the encoding '%s' of the arguments.".formatted(encoding));
    }
}
