package io.floodgate.gateway.cron;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.access.Scope.OBSERVE;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.patch;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Route;
import java.util.ArrayList;
import java.util.List;

/** The routes of schedules, each under the name of the specification and under that of the admin page. */
public final class CronRoutes {
    private CronRoutes() {}

    public static List<Route> of(CronOperations crons) {
        List<Route> routes = new ArrayList<>();
        for (String path : List.of("/ojs/v1/cron", "/ojs/v1/crons")) {
            String one = path + "/{name}";
            routes.addAll(List.of(
                    get("cron.list", path, crons::list).ofJobs(),
                    post("cron.register", path, ADMIN, crons::register).ofJobs().upTo(CronOperations.MAX_BODY),
                    put("cron.register_all", path, ADMIN, crons::registerAll)
                            .ofJobs()
                            .upTo(CronOperations.MAX_BODY),
                    post("cron.preview", path + "/preview", OBSERVE, crons::preview)
                            .ofJobs(),
                    get("cron.get", one, crons::one).ofJobs(),
                    patch("cron.change", one, ADMIN, crons::change).ofJobs().upTo(CronOperations.MAX_BODY),
                    delete("cron.delete", one, ADMIN, crons::delete).ofJobs(),
                    post("cron.trigger", one + "/trigger", ADMIN, crons::trigger)
                            .ofJobs(),
                    post("cron.backfill", one + "/backfill", ADMIN, crons::backfill)
                            .ofJobs(),
                    post("cron.pause", one + "/pause", ADMIN, crons::pause).ofJobs(),
                    post("cron.resume", one + "/resume", ADMIN, crons::resume).ofJobs(),
                    get("cron.next", one + "/next", crons::next).ofJobs(),
                    get("cron.history", one + "/history", crons::history).ofJobs()));
        }
        return routes;
    }
}
