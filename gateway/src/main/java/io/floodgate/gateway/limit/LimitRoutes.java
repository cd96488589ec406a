package io.floodgate.gateway.limit;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Route;
import java.util.List;

/** The routes of rate limits. An override has a path of its own, and that of the limit. */
public final class LimitRoutes {
    private static final String ONE = "/ojs/v1/rate-limits/{key}";

    private LimitRoutes() {}

    public static List<Route> of(LimitOperations limits) {
        return List.of(
                get("rate_limit.list", "/ojs/v1/rate-limits", limits::list),
                get("rate_limit.get", ONE, limits::one),
                put("rate_limit.override", ONE, ADMIN, limits::override).upTo(LimitOperations.MAX_BODY),
                put("rate_limit.override", ONE + "/override", ADMIN, limits::override)
                        .upTo(LimitOperations.MAX_BODY),
                delete("rate_limit.end_override", ONE, ADMIN, limits::endOverride),
                delete("rate_limit.end_override", ONE + "/override", ADMIN, limits::endOverride));
    }
}
