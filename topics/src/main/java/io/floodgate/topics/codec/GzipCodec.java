package io.floodgate.topics.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Compresses arguments, unless that makes them larger (OJS encryption §7). */
public final class GzipCodec implements PayloadCodec {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    @Override
    public String encoding() {
        return "gzip/plain";
    }

    @Override
    public byte @Nullable [] encode(byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(payload);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.size() < payload.length ? out.toByteArray() : null;
    }

    @Override
    public byte[] decode(byte[] encoded, @Nullable String keyId) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(encoded))) {
            byte[] payload = gzip.readNBytes(MAX_BYTES + 1);
            if (payload.length > MAX_BYTES)
                throw new CodecFailed("The arguments have more than %d bytes.".formatted(MAX_BYTES));
            return payload;
        } catch (IOException failure) {
            throw new CodecFailed("The arguments are no gzip.", failure);
        }
    }
}
