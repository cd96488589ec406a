package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import org.jspecify.annotations.Nullable;

/** Demands of a request on the server before anything is done: a version, and extensions. */
public final class Demands {
    public static final HeaderName VERSION = HeaderNames.create("OJS-Version");
    private static final HeaderName EXTENSION = HeaderNames.create("OJS-Requires-Extension");

    private Demands() {}

    static void check(ServerRequestHeaders headers) throws RejectedException {
        if (headers.contains(VERSION)) checkVersion(headers.get(VERSION).get());
        if (headers.contains(EXTENSION))
            for (String value : headers.get(EXTENSION).allValues(true)) checkExtension(value);
    }

    /** Minor versions and release candidates of version 1 are compatible with each other. */
    private static void checkVersion(String version) throws RejectedException {
        if (version.equals("1.0") || version.equals("1") || version.startsWith("1.")) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.UNSUPPORTED,
                        "OJS-Version '%s' is not supported; this server speaks 1.0.".formatted(version))
                .with("supported", "1.0")
                .with("requested", version));
    }

    private static void checkExtension(@Nullable String demanded) throws RejectedException {
        String urn = demanded == null ? "" : demanded.strip();
        if (urn.isEmpty()) return;
        if (Extension.ALL.stream()
                .anyMatch(known -> known.isWhole() && known.uri().equals(urn))) return;
        throw new RejectedException(
                Rejection.of(ErrorCode.EXTENSION_NOT_SUPPORTED, "The extension '%s' is not supported.".formatted(urn))
                        .with("extension", urn));
    }
}
