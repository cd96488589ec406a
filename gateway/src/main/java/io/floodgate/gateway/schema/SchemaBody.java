package io.floodgate.gateway.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.schema.Compatibility;
import io.floodgate.topics.schema.JobSchema;
import io.floodgate.topics.schema.SchemaVersion;
import io.floodgate.topics.schema.UnreadableSchema;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be registered, in the words of all specifications and SDKs.
 *
 * @param version null for the next one
 * @param uri null for the one that the specification recommends
 * @param compatibility null for that of the version before
 * @param compatibleWith versions whose arguments it must accept
 */
record SchemaBody(
        String type,
        @Nullable SchemaVersion version,
        @Nullable String uri,
        @Nullable Compatibility compatibility,
        List<String> compatibleWith,
        Content content) {
    private static final Set<String> KNOWN = Set.of(
            "type",
            "job_type",
            "version",
            "uri",
            "schema",
            "args_schema",
            "subject",
            "subject_version",
            "source",
            "compatibility",
            "compatible_with",
            "created_at");
    private static final int MOST_COMPATIBLE = 20;

    /** @param source the subject of another registry that it was copied from; null if it was sent */
    record Content(byte[] schema, @Nullable String source) {}

    /**
     * @param type in the path; null if the body has it
     * @param version in the path; null if the body may have one
     */
    static SchemaBody read(
            RequestFields body, @Nullable String type, @Nullable String version, SubjectRegistry subjects)
            throws RejectedException {
        body.only(KNOWN);
        String named = first(body, "type", "job_type");
        if (type != null && named != null && !named.equals(type))
            throw body.fault("type", "The '%s' field must be the type in the path.");
        String of = type == null ? named : type;
        if (of == null)
            throw body.fault("type", "The '%s' field is missing: the job type whose arguments it describes.");
        if (!EnvelopeReader.isType(of)) throw body.fault("type", "The '%s' field must be a job type, as 'email.send'.");
        return new SchemaBody(
                of,
                version(body, version),
                uri(body),
                compatibility(body),
                compatibleWith(body),
                content(body, subjects));
    }

    private static @Nullable String first(RequestFields body, String name, String other) throws RejectedException {
        return body.has(name) ? body.text(name) : body.text(other);
    }

    private static Content content(RequestFields body, SubjectRegistry subjects) throws RejectedException {
        String name = body.has("schema") || !body.has("args_schema") ? "schema" : "args_schema";
        String subject = body.text("subject", Limits.NAME_CHARS);
        if (subject == null) return new Content(schema(body, name), null);
        if (body.has(name)) throw body.fault("subject", "Give '" + name + "' or '%s', not both.");
        return subjects.copy(subject, subjectVersion(body));
    }

    private static String subjectVersion(RequestFields body) throws RejectedException {
        if (body.isText("subject_version") && SubjectRegistry.LATEST.equals(body.text("subject_version")))
            return SubjectRegistry.LATEST;
        return body.number("subject_version").map(String::valueOf).orElse(SubjectRegistry.LATEST);
    }

    private static byte[] schema(RequestFields body, String name) throws RejectedException {
        byte[] schema = body.raw(name);
        if (schema == null || body.isNull(name))
            throw body.fault(name, "The '%s' field is missing: a JSON Schema, draft 2020-12.");
        try {
            JobSchema.of(schema);
            return schema;
        } catch (UnreadableSchema unreadable) {
            String reason = String.valueOf(unreadable.getMessage());
            throw new RejectedException(
                    Rejection.of(ErrorCode.INVALID_REQUEST, "The provided JSON Schema is not valid: " + reason)
                            .with("field", name)
                            .with("schema_error", reason));
        }
    }

    private static @Nullable SchemaVersion version(RequestFields body, @Nullable String inPath)
            throws RejectedException {
        if (inPath != null && !body.has("version")) return parsed(inPath);
        if (!body.has("version")) return null;
        byte[] number = body.raw("version");
        SchemaVersion version = parsed(
                body.isText("version") || number == null
                        ? String.valueOf(body.text("version"))
                        : new String(number, UTF_8));
        if (inPath != null && !parsed(inPath).equals(version))
            throw body.fault("version", "The '%s' field must be the version in the path.");
        return version;
    }

    private static SchemaVersion parsed(String text) throws RejectedException {
        return SchemaVersion.parse(text)
                .orElseThrow(() -> RequestFields.wrong(
                        "version", "'%s' is no version: use 2, 2.1 or 2.1.0.".formatted(Limits.echo(text))));
    }

    private static @Nullable String uri(RequestFields body) throws RejectedException {
        String uri = body.text("uri", Limits.NAME_CHARS);
        if (uri == null) return null;
        try {
            if (new URI(uri).isAbsolute()) return uri;
        } catch (URISyntaxException wrong) {
            // It is rejected below.
        }
        throw body.fault("uri", "The '%s' field must be a URI, as 'urn:ojs:schema:email.send:v1'.");
    }

    private static @Nullable Compatibility compatibility(RequestFields body) throws RejectedException {
        String name = body.text("compatibility");
        if (name == null) return null;
        return WireName.parse(Compatibility.class, name.toUpperCase(Locale.ROOT))
                .orElseThrow(() ->
                        body.fault("compatibility", "The '%s' field must be 'NONE', 'BACKWARD', 'FORWARD' or 'FULL'."));
    }

    private static List<String> compatibleWith(RequestFields body) throws RejectedException {
        List<String> versions = body.has("compatible_with") ? body.texts("compatible_with") : List.of();
        if (versions.size() > MOST_COMPATIBLE)
            throw body.fault("compatible_with", "The '%s' field may name at most " + MOST_COMPATIBLE + " versions.");
        return versions;
    }
}
