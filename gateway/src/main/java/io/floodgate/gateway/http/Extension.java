package io.floodgate.gateway.http;

import io.floodgate.topics.json.JsonOut;
import java.util.List;
import java.util.stream.Stream;

/**
 * An extension beyond the levels of the core specification (OJS extension lifecycle §7.2).
 *
 * @param version of its specification
 */
public record Extension(String uri, String version, Support support) {
    /** How much of an extension there is, and whether its specification is stable. */
    public enum Support {
        OFFICIAL,
        /** Experiments of the specification, and extensions of our own. */
        EXPERIMENTAL,
        /** A MUST of it is missing: it cannot be demanded. */
        PARTIAL
    }

    private static final String CANDIDATE = "1.0.0-rc.1";

    /** As in {@code docs/reference/conformance/README.md}. */
    public static final List<Extension> ALL = Stream.of(
                    Stream.of(
                                    "admin-api",
                                    "backpressure",
                                    "dead-letter",
                                    "durable-execution",
                                    "encryption",
                                    "fair-scheduling",
                                    "observability",
                                    "payload-limits",
                                    "progress",
                                    "queue-config",
                                    "rate-limiting",
                                    "results",
                                    "schema-registry",
                                    "testing",
                                    "webhooks")
                            .map(name -> of(name, CANDIDATE, Support.OFFICIAL)),
                    Stream.of(of("distributed-tracing", "0.2.0", Support.OFFICIAL)),
                    Stream.of("experimental:job-versioning", "x:floodgate:order-keys", "x:floodgate:tenant-bounds")
                            .map(name -> of(name, "0.1.0", Support.EXPERIMENTAL)),
                    Stream.of(
                                    "bulk-operations",
                                    "disaster-recovery",
                                    "graceful-shutdown",
                                    "logging",
                                    "multi-tenancy",
                                    "priority",
                                    "sdk-guidelines",
                                    "timeouts")
                            .map(name -> of(name, CANDIDATE, Support.PARTIAL)),
                    Stream.of(of("execution-history", "0.1.0", Support.PARTIAL)))
            .flatMap(all -> all)
            .toList();

    private static Extension of(String name, String version, Support support) {
        return new Extension("urn:ojs:ext:" + name, version, support);
    }

    public boolean isWhole() {
        return support != Support.PARTIAL;
    }

    public String name() {
        return uri.substring(uri.lastIndexOf(':') + 1);
    }

    public void write(JsonOut out) {
        out.beginObject()
                .field("name", name())
                .field("uri", uri)
                .field("version", version)
                .endObject();
    }
}
