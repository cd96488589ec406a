package io.floodgate.topics.codec;

import org.jspecify.annotations.Nullable;

/** Encodes arguments, and decodes what it has encoded (OJS encryption §5.1). Used by many threads. */
public interface PayloadCodec {
    /** Returns the name that jobs carry, such as {@code binary/encrypted}. */
    String encoding();

    /** Returns the id of the key that it encodes with; null if there is none. */
    default @Nullable String keyId() {
        return null;
    }

    /** Returns null to leave the payload as it is. */
    byte @Nullable [] encode(byte[] payload);

    /**
     * @param keyId that the job carries
     * @throws CodecFailed if this codec cannot decode it
     */
    byte[] decode(byte[] encoded, @Nullable String keyId);
}
