package io.floodgate.gateway;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.admin.TenantAdministration;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Route;
import java.util.List;

/** Tenants, and their bounds. */
final class TenantRoutes {
    private static final String TENANTS = "/ojs/v1/admin/tenants";

    private TenantRoutes() {}

    static List<Route> of(TenantAdministration tenants, Operation explain) {
        return List.of(
                get("tenant.list", TENANTS, tenants::list),
                get("tenant.get", TENANTS + "/{id}", tenants::one),
                get("tenant.explain", TENANTS + "/{id}/explain", explain),
                put("tenant.decide", TENANTS + "/{id}", ADMIN, tenants::decide).upTo(TenantAdministration.MAX_BODY),
                put("tenant.decide", TENANTS + "/{id}/limits", ADMIN, tenants::decide)
                        .upTo(TenantAdministration.MAX_BODY),
                delete("tenant.delete", TENANTS + "/{id}", ADMIN, tenants::delete),
                get("tenant.stats", TENANTS + "/{id}/stats", tenants::stats));
    }
}
