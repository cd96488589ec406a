package io.floodgate.gateway.schema;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SchemaCommand.DeleteSchema;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.schema.Compatibility;
import io.floodgate.topics.schema.SchemaCatalog;
import io.floodgate.topics.schema.SchemaIndex;
import io.floodgate.topics.schema.SchemaRules;
import io.floodgate.topics.schema.SchemaVersion;
import io.helidon.http.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry of schemas: {@code /ojs/v1/admin/schemas}, where a version without a dot is a number, and {@code
 * /ojs/v1/schemas}, where a version is a text and a schema may be named by its URI (OJS schema registry §10, HTTP binding §15).
 * Each request looks into the registry: it is answered from no older copy.
 */
public final class SchemaOperations {
    private static final int ATTEMPTS = 5;

    private final Partitions partitions;
    private final SchemaCatalog catalog;
    private final SubjectRegistry subjects;

    public SchemaOperations(Partitions partitions, SchemaCatalog catalog, SubjectRegistry subjects) {
        this.partitions = partitions;
        this.catalog = catalog;
        this.subjects = subjects;
    }

    private SchemaIndex now() throws CommandFailed, RejectedException {
        return catalog.refreshed(partitions.patience());
    }

    // ---- registration

    public ApiResponse put(Call call) throws CommandFailed, RejectedException {
        SchemaBody body = SchemaBody.read(call.json(), call.parameter("type"), null, subjects);
        return ApiResponse.json(Status.CREATED_201, administered(register(call, body)));
    }

    public ApiResponse putVersion(Call call) throws CommandFailed, RejectedException {
        SchemaBody body = SchemaBody.read(call.json(), call.parameter("type"), call.parameter("version"), subjects);
        return ApiResponse.json(Status.CREATED_201, administered(register(call, body)));
    }

    public ApiResponse post(Call call) throws CommandFailed, RejectedException {
        Registered schema = register(call, SchemaBody.read(call.json(), null, null, subjects));
        return ApiResponse.json(Status.CREATED_201, wrapped(schema));
    }

    /** What it is compared with is the registry as it stands: if it changes meanwhile, it is compared again. */
    private Registered register(Call call, SchemaBody body) throws CommandFailed, RejectedException {
        for (int attempt = 1; ; attempt++) {
            SchemaIndex known = now();
            SchemaVersion version = version(body, known);
            check(body, version, known);
            Registered before = known.before(body.type(), version);
            Compatibility rule = body.compatibility();
            String inherited = before == null ? null : before.compatibility();
            String uri = body.uri() == null ? SchemaIndex.uri(body.type(), version.text()) : body.uri();
            PutSchema command = new PutSchema(
                    body.type(),
                    version.text(),
                    uri,
                    rule == null ? inherited : rule.wire(),
                    body.content().source(),
                    body.content().schema(),
                    known.revision());
            try {
                Registered stored =
                        ReplyLines.read(Registered.class, registry(call).askLine(command));
                now();
                return stored;
            } catch (RejectedException rejected) {
                boolean hasChanged = rejected.rejection().details().stream()
                        .anyMatch(detail -> detail.name().equals("registry"));
                if (!hasChanged || attempt == ATTEMPTS) throw rejected;
            }
        }
    }

    private Partitions.Owner registry(Call call) {
        return partitions.by(call).ofSchemas();
    }

    private static SchemaVersion version(SchemaBody body, SchemaIndex known) {
        SchemaVersion given = body.version();
        if (given != null) return given;
        Registered latest = known.latest(body.type());
        int next = latest == null ? 1 : SchemaIndex.version(latest).major() + 1;
        return SchemaVersion.parse(String.valueOf(next)).orElseThrow();
    }

    private static void check(SchemaBody body, SchemaVersion version, SchemaIndex known) throws RejectedException {
        if (known.find(body.type(), version.text()) != null) return; // The registry says so.
        Registered before = known.before(body.type(), version);
        Optional<Rejection> breaks = before == null
                ? Optional.empty()
                : SchemaRules.reject(version, body.content().schema(), before, body.compatibility());
        if (breaks.isPresent()) throw new RejectedException(breaks.get());
        for (String other : body.compatibleWith()) {
            Registered with = known.find(body.type(), other);
            if (with == null)
                throw RequestFields.wrong(
                        "compatible_with", "Version '%s' is not registered.".formatted(Limits.echo(other)));
            Optional<Rejection> breaksOther =
                    SchemaRules.reject(version, body.content().schema(), with, Compatibility.BACKWARD);
            if (breaksOther.isPresent()) throw new RejectedException(breaksOther.get());
        }
    }

    // ---- administration: versions as numbers

    public ApiResponse get(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(administered(found(now().latest(call.parameter("type")), call.parameter("type"))));
    }

    public ApiResponse getVersion(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(administered(ofPath(call, now())));
    }

    private static Registered ofPath(Call call, SchemaIndex known) throws RejectedException {
        String type = call.parameter("type");
        String version = call.parameter("version");
        return found(known.find(type, version), type + "@" + version);
    }

    public ApiResponse versions(Call call) throws CommandFailed, RejectedException {
        return versions(call.parameter("type"), true);
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        SchemaIndex known = now();
        Paging paging = Paging.of(call);
        JsonOut items = new JsonOut(4_096).beginArray();
        known.types().keySet().stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .map(known::versions)
                .forEach(versions -> head(versions.getFirst(), true, items.beginObject())
                        .field("versions", versions.size())
                        .endObject());
        return listed(items, known.types().size(), paging);
    }

    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String type = call.parameter("type");
        found(now().latest(type), type);
        registry(call).ask(new DeleteSchema(type, null));
        now();
        return ApiResponse.ok(
                JsonOut.object().field("deleted", true).field("type", type).endObject());
    }

    public ApiResponse deleteVersion(Call call) throws CommandFailed, RejectedException {
        return deleted(call, ofPath(call, now()), true);
    }

    // ---- schemas by URI, versions as texts

    public ApiResponse getNamed(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(wrapped(named(call)));
    }

    private Registered named(Call call) throws CommandFailed, RejectedException {
        return found(now().named(call.parameter("id"), null), call.parameter("id"));
    }

    public ApiResponse versionsOfNamed(Call call) throws CommandFailed, RejectedException {
        return versions(call.parameter("id"), false);
    }

    public ApiResponse listNamed(Call call) throws CommandFailed, RejectedException {
        List<Registered> all = new ArrayList<>();
        now().types().values().forEach(versions -> all.addAll(versions.values()));
        Paging paging = Paging.of(call);
        JsonOut items = new JsonOut(4_096).beginArray();
        all.stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .forEach(schema -> head(schema, false, items.beginObject()).endObject());
        return listed(items, all.size(), paging);
    }

    public ApiResponse deleteNamed(Call call) throws CommandFailed, RejectedException {
        return deleted(call, named(call), false);
    }

    public ApiResponse deleteVersionOfNamed(Call call) throws CommandFailed, RejectedException {
        String type = call.parameter("id");
        String version = call.parameter("version");
        return deleted(call, found(now().find(type, version), type + "@" + version), false);
    }

    // ---- what both have in common

    private ApiResponse deleted(Call call, Registered schema, boolean asNumber)
            throws CommandFailed, RejectedException {
        registry(call).ask(new DeleteSchema(schema.type(), schema.version()));
        now();
        return ApiResponse.ok(
                head(schema, asNumber, JsonOut.object().field("deleted", true)).endObject());
    }

    private ApiResponse versions(String type, boolean asNumber) throws CommandFailed, RejectedException {
        List<Registered> versions = now().versions(type);
        if (versions.isEmpty()) throw notFound(type);
        JsonOut out = JsonOut.object(1_024).field("type", type).beginArray("versions");
        for (Registered each : versions)
            head(each, asNumber, out.beginObject())
                    .field("is_latest", each.revision() == versions.getFirst().revision())
                    .endObject();
        return ApiResponse.ok(out.endArray().field("count", versions.size()).endObject());
    }

    private static ApiResponse listed(JsonOut items, long total, Paging paging) {
        return ApiResponse.ok(paging.page("schemas", items.endArray(), total));
    }

    private static JsonOut administered(Registered schema) {
        return head(schema, true, JsonOut.object(schema.schema().length + 512))
                .fieldRaw("schema", schema.schema())
                .endObject();
    }

    private static JsonOut wrapped(Registered schema) {
        JsonOut out = JsonOut.object(schema.schema().length + 512).beginObject("schema");
        return head(schema, false, out)
                .field("job_type", schema.type())
                .fieldRaw("schema", schema.schema())
                .endObject()
                .endObject();
    }

    private static JsonOut head(Registered schema, boolean asNumber, JsonOut out) {
        version(schema, asNumber, out.field("type", schema.type()));
        return out.field("uri", schema.uri())
                .optional("compatibility", schema.compatibility())
                .optional("source", schema.source())
                .field("created_at", schema.createdAt());
    }

    private static void version(Registered schema, boolean asNumber, JsonOut out) {
        SchemaVersion version = SchemaIndex.version(schema);
        if (asNumber && version.isWhole()) out.field("version", version.major());
        else out.field("version", version.text());
    }

    private static Registered found(@Nullable Registered schema, String name) throws RejectedException {
        if (schema == null) throw notFound(name);
        return schema;
    }

    private static RejectedException notFound(String name) {
        return new RejectedException(Rejection.notFound("schema", Limits.echo(name)));
    }
}
