package io.floodgate.topics.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    private PayloadCodec of(String encoding) {
        for (PayloadCodec codec : codecs) if (codec.encoding().equals(encoding)) return codec;
        throw new CodecFailed("There is no codec for the encoding '%s' of the arguments.".formatted(encoding));
    }
}
