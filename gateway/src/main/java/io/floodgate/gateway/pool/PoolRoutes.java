package io.floodgate.gateway.pool;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Route;
import java.util.List;

/** The routes of pools of workers, and what was handed out lately. */
public final class PoolRoutes {
    private static final String ALL = "/ojs/v1/admin/pools";
    private static final String ONE = ALL + "/{name}";

    private PoolRoutes() {}

    public static List<Route> of(PoolOperations pools, SchedulingStats stats) {
        return List.of(
                get("pool.list", ALL, pools::list),
                get("pool.get", ONE, pools::get),
                put("pool.put", ONE, ADMIN, pools::put).upTo(64 * 1024),
                delete("pool.delete", ONE, ADMIN, pools::delete),
                get("scheduling.stats", "/ojs/v1/admin/scheduling/stats", stats::show));
    }
}
