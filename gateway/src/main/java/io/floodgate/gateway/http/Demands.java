package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Demands of a request on the server before anything is done: a version, and extensions. */
public final class Demands {
    /** Extensions beyond the levels of the core specification. */
    public static final List<String> EXTENSIONS = List.of(
            "urn:ojs:ext:admin-api",
            "urn:ojs:ext:backpressure",
            "urn:ojs:ext:dead-letter",
            "urn:ojs:ext:events",
            "urn:ojs:ext:fair-scheduling",
            "urn:ojs:ext:queue-config",
            "urn:ojs:ext:rate-limiting",
            "urn:ojs:ext:schema-registry",
            "urn:ojs:ext:webhooks");

    /** Experiments of the specification, and extensions of our own. */
    public static final List<String> EXPERIMENTAL = List.of(
            "urn:ojs:ext:experimental:job-versioning",
            "urn:floodgate:ext:order-keys",
            "urn:floodgate:ext:tenant-bounds");

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
        if (urn.isEmpty() || EXTENSIONS.contains(urn) || EXPERIMENTAL.contains(urn)) return;
        throw new RejectedException(
                Rejection.of(ErrorCode.EXTENSION_NOT_SUPPORTED, "The extension '%s' is not supported.".formatted(urn))
                        .with("extension", urn));
    }
}
