package io.floodgate.gateway.system;

import io.floodgate.gateway.http.Extension;
import io.floodgate.gateway.http.Extension.Support;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.WorkflowReader;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes what this server is and can do (OJS HTTP binding §21). Capabilities are flags only: clients decode them as
 * such.
 */
public final class Manifest {
    private static final List<String> CAPABILITIES = List.of(
            "batch_enqueue",
            "delayed_jobs",
            "job_ttl",
            "priority_queues",
            "dead_letter",
            "events",
            "progress",
            "queue_pause",
            "backpressure",
            "rate_limiting",
            "unique_jobs",
            "cron_jobs",
            // The admin page asks for this name.
            "cron",
            "workflows",
            "schemas",
            "schema_validation",
            "webhooks");

    private Manifest() {}

    public static String version() {
        String version = Manifest.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    static JsonOut write(Optional<URI> codecServer) {
        JsonOut out = JsonOut.object(2_048)
                .field("specversion", "1.0")
                .field("ojs_version", "1.0")
                .beginObject("implementation")
                .field("name", "floodgate")
                .field("version", version())
                .field("language", "java")
                .field("homepage", "https://openjobspec.org")
                .endObject()
                .field("conformance_level", 4)
                .field("conformance_tier", "runtime")
                .field("unique_job_strength", "strong")
                .field("protocols", List.of("http"))
                .field("backend", "kafka")
                .optional("codec_server_url", codecServer.map(URI::toString).orElse(null))
                .beginObject("capabilities");
        CAPABILITIES.forEach(name -> out.field(name, true));
        out.endObject()
                .beginObject("unique_jobs_detail")
                .field("strength", "strong")
                .field("mechanism", "one home partition for each key, which asks the partition of the job that has it")
                .endObject()
                .field("extensions", extensions())
                .beginObject("extensions_detail");
        for (Support support : Support.values()) {
            out.beginArray(support.name().toLowerCase(Locale.ROOT));
            Extension.ALL.stream()
                    .filter(extension -> extension.support() == support)
                    .forEach(extension -> extension.write(out));
            out.endArray();
        }
        out.endObject();
        out.beginObject("endpoints")
                .field("manifest", "/ojs/manifest")
                .field("health", "/ojs/v1/health")
                .field("jobs", "/ojs/v1/jobs")
                .field("workers", "/ojs/v1/workers")
                .field("queues", "/ojs/v1/queues")
                .field("workflows", "/ojs/v1/workflows")
                .field("rate_limits", "/ojs/v1/rate-limits")
                .field("dead_letter", "/ojs/v1/dead-letter")
                .field("cron", "/ojs/v1/cron")
                .field("admin", "/ojs/v1/admin")
                .field("events", "/ojs/v1/events")
                .field("schemas", "/ojs/v1/schemas")
                .field("webhooks", "/ojs/v1/webhooks")
                .field("metrics", "/metrics")
                .field("documentation", "/docs/index.html")
                .endObject();
        out.beginObject("limits")
                .field("max_envelope_bytes", EnvelopeReader.MAX_JOB_BYTES)
                .field("max_meta_bytes", EnvelopeReader.MAX_META_BYTES)
                .field("max_queue_name_bytes", EnvelopeReader.MAX_QUEUE_CHARS)
                .field("max_job_type_bytes", EnvelopeReader.MAX_TYPE_CHARS)
                .field("supported_compression", List.of())
                .field("external_references", true)
                .field("chunking", false)
                .field("per_queue_limits", false)
                .field("max_batch_size", 10_000)
                .field("max_fetch_count", 100)
                .field("max_workflow_steps", WorkflowReader.MOST_STEPS)
                .field("max_workflow_bytes", WorkflowReader.MAX_BYTES)
                .field("max_workflow_levels", WorkflowReader.MOST_LEVELS)
                .field("max_wait_ms", 60_000)
                .endObject();
        return out.endObject();
    }

    /** Returns the extensions with the short names by which some clients look for them. */
    private static List<String> extensions() {
        return Extension.ALL.stream()
                .filter(Extension::isWhole)
                .flatMap(extension -> Stream.of(extension.uri(), extension.name()))
                .toList();
    }
}
