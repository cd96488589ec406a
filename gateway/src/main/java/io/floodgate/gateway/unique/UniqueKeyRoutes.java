package io.floodgate.gateway.unique;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;

import io.floodgate.gateway.http.Route;
import java.util.List;

/** The routes of keys of unique jobs. They are for callers that may see the whole server. */
public final class UniqueKeyRoutes {
    private static final String ONE = "/ojs/v1/unique-jobs/{key}";

    private UniqueKeyRoutes() {}

    public static List<Route> of(UniqueKeyOperations keys) {
        return List.of(
                get("unique.list", "/ojs/v1/unique-jobs", keys::list),
                get("unique.get", ONE, keys::one),
                delete("unique.release", ONE, ADMIN, keys::release));
    }
}
