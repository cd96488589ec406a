package io.floodgate.gateway.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SchemaCommand;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.schema.UnreadableSchema;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A registry of schemas that a team has already and that speaks as Confluent's does. A subject's schema is copied from it when
 * it is registered here, together with those that it refers to: no check of a job needs the registry.
 */
public final class SubjectRegistry {
    static final String LATEST = "latest";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** Of an answer: a schema is a text in it, with escapes. */
    private static final int MOST_BYTES = 3 * SchemaCommand.MOST_SCHEMA_BYTES;

    private static final int MOST_DOCUMENTS = 20;

    private final Optional<Settings> settings;

    /**
     * Where it is.
     *
     * @param login file with {@code USER:PASSWORD}, or a token; read again for each schema, since passwords change
     */
    public record Settings(URI url, Optional<Path> login) {}

    private record Answer(String schema, String version, JsonNode references) {}

    public SubjectRegistry(Optional<Settings> settings) {
        this.settings = settings;
    }

    /** @param version a number, or {@link #LATEST} */
    SchemaBody.Content copy(String subject, String version) throws RejectedException {
        Settings to = settings.orElseThrow(() -> new RejectedException(Rejection.of(
                        ErrorCode.UNSUPPORTED,
                        "This server knows no other registry of schemas: start it with --schema-registry URL, or send"
                                + " the schema itself as 'schema'.")
                .with("field", "subject")));
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            Map<String, Answer> documents = new HashMap<>();
            Answer answer = ask(http, to, subject, version);
            collect(http, to, answer, documents);
            try {
                Map<String, String> others = new HashMap<>();
                documents.forEach((name, document) -> others.put(name, document.schema));
                return new SchemaBody.Content(
                        SubjectSchema.whole(answer.schema, others), subject + "@" + answer.version);
            } catch (UnreadableSchema unusable) {
                throw RequestFields.wrong(
                        "subject", "The schema of %s: %s".formatted(Limits.echo(subject), unusable.getMessage()));
            }
        }
    }

    private static void collect(HttpClient http, Settings to, Answer answer, Map<String, Answer> documents)
            throws RejectedException {
        for (JsonNode reference : answer.references) {
            String name = reference.path("name").asString("");
            if (documents.containsKey(name)) continue;
            if (documents.size() == MOST_DOCUMENTS)
                throw RequestFields.wrong(
                        "subject", "The schema refers to more than %d others.".formatted(MOST_DOCUMENTS));
            Answer other = ask(
                    http,
                    to,
                    reference.path("subject").asString(""),
                    reference.path("version").asString(LATEST));
            documents.put(name, other);
            collect(http, to, other, documents);
        }
    }

    private static Answer ask(HttpClient http, Settings to, String subject, String version) throws RejectedException {
        String base = to.url.toString();
        URI address = URI.create("%s/subjects/%s/versions/%s"
                .formatted(
                        base.endsWith("/") ? base.substring(0, base.length() - 1) : base,
                        URLEncoder.encode(subject, UTF_8).replace("+", "%20"),
                        URLEncoder.encode(version, UTF_8)));
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .timeout(PATIENCE)
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
        try {
            if (to.login.isPresent()) request.header("Authorization", credentials(to.login.get()));
            HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                byte[] bytes = body.readNBytes(MOST_BYTES + 1);
                if (response.statusCode() == 404)
                    throw RequestFields.wrong(
                            "subject",
                            "The registry of schemas at %s has no '%s' in version '%s'."
                                    .formatted(base, Limits.echo(subject), Limits.echo(version)));
                if (response.statusCode() != 200)
                    throw unavailable(base, "answers with status " + response.statusCode(), null);
                if (bytes.length > MOST_BYTES)
                    throw RequestFields.wrong(
                            "subject", "The schema of '%s' is too large.".formatted(Limits.echo(subject)));
                return answer(bytes, subject);
            }
        } catch (IOException | JacksonException failed) {
            throw unavailable(base, "does not answer as such a registry does", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unavailable(base, "was not waited for", interrupted);
        }
    }

    private static Answer answer(byte[] json, String subject) throws RejectedException {
        JsonNode tree = Json.tree(json);
        String kind = tree.path("schemaType").asString("AVRO");
        if (!kind.equals("JSON"))
            throw RequestFields.wrong(
                    "subject",
                    "The schema of '%s' is of the type %s: arguments of jobs are checked by JSON Schema."
                            .formatted(Limits.echo(subject), Limits.echo(kind)));
        return new Answer(
                tree.path("schema").asString(""), tree.path("version").asString("?"), tree.path("references"));
    }

    private static String credentials(Path file) throws IOException {
        String login = Files.readString(file).strip();
        return login.contains(":")
                ? "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8))
                : "Bearer " + login;
    }

    private static RejectedException unavailable(String base, String how, @Nullable Exception cause) {
        String reason = cause == null || cause.getMessage() == null ? "" : " (" + Limits.echo(cause.getMessage()) + ")";
        return new RejectedException(Rejection.of(
                ErrorCode.BACKEND_UNAVAILABLE,
                "The registry of schemas at %s %s%s. Nothing was registered; try again, or send the schema itself as 'schema'."
                        .formatted(base, how, reason)));
    }
}
