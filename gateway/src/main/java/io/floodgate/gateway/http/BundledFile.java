package io.floodgate.gateway.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Files that are in the archive of the gateway, beside its classes. */
public final class BundledFile {
    private BundledFile() {}

    /** @param owner the class that it is beside */
    public static byte[] read(Class<?> owner, String name) {
        try (InputStream file = owner.getResourceAsStream(name)) {
            if (file == null)
                throw new IllegalStateException("%s lacks its file %s".formatted(owner.getSimpleName(), name));
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
