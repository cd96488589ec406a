package io.floodgate.gateway.schema;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Route;
import io.floodgate.topics.command.SchemaCommand;
import java.util.List;

/** The routes of schemas: those of administration, and those of the specification's registry. */
public final class SchemaRoutes {
    private static final String ADMINISTERED = "/ojs/v1/admin/schemas";
    private static final String TYPE = ADMINISTERED + "/{type}";
    private static final String NAMED = "/ojs/v1/schemas";
    private static final String ONE = NAMED + "/{id}";
    private static final int MAX_BODY = 2 * SchemaCommand.MOST_SCHEMA_BYTES;

    private SchemaRoutes() {}

    public static List<Route> of(SchemaOperations schemas) {
        return List.of(
                get("admin.schema.list", ADMINISTERED, schemas::list),
                get("admin.schema.get", TYPE, schemas::get),
                put("admin.schema.put", TYPE, ADMIN, schemas::put).upTo(MAX_BODY),
                delete("admin.schema.delete", TYPE, ADMIN, schemas::delete),
                get("admin.schema.versions", TYPE + "/versions", schemas::versions),
                get("admin.schema.get_version", TYPE + "/{version}", schemas::getVersion),
                put("admin.schema.put_version", TYPE + "/{version}", ADMIN, schemas::putVersion)
                        .upTo(MAX_BODY),
                delete("admin.schema.delete_version", TYPE + "/{version}", ADMIN, schemas::deleteVersion),
                get("schema.list", NAMED, schemas::listNamed),
                post("schema.register", NAMED, ADMIN, schemas::post).upTo(MAX_BODY),
                get("schema.get", ONE, schemas::getNamed),
                delete("schema.delete", ONE, ADMIN, schemas::deleteNamed),
                get("schema.versions", ONE + "/versions", schemas::versionsOfNamed),
                delete("schema.delete_version", ONE + "/{version}", ADMIN, schemas::deleteVersionOfNamed));
    }
}
