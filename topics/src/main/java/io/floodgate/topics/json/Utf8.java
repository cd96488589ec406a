package io.floodgate.topics.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** Texts of clients that may be any bytes. */
public final class Utf8 {
    private Utf8() {}

    /** Returns the text; null for bytes that are none. */
    public static @Nullable String text(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException noText) {
            return null;
        }
    }
}
