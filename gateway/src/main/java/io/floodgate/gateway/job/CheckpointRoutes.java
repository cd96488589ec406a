package io.floodgate.gateway.job;

import static io.floodgate.gateway.access.Scope.CONSUME;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Route;
import java.util.ArrayList;
import java.util.List;

/** The paths of checkpoints: the JavaScript client has one of its own, and puts the version in front of it twice. */
public final class CheckpointRoutes {
    private static final List<String> PATHS =
            List.of("/ojs/v1/jobs/{id}/checkpoint", "/ojs/v1/checkpoints/{id}", "/ojs/v1/ojs/v1/checkpoints/{id}");

    private CheckpointRoutes() {}

    public static List<Route> of(Checkpoints checkpoints) {
        List<Route> routes = new ArrayList<>();
        for (String path : PATHS) {
            routes.add(get("job.checkpoint", path, checkpoints::show));
            routes.add(get("job.checkpoint", path + "/resume", checkpoints::resume));
            routes.add(post("job.checkpoint", path + "/resume", CONSUME, checkpoints::resume));
            for (Route store : List.of(
                    put("job.store_checkpoint", path, CONSUME, checkpoints::store),
                    post("job.store_checkpoint", path, CONSUME, checkpoints::store)))
                routes.add(store.upTo(Checkpoints.MAX_BODY).completing());
            routes.add(delete("job.delete_checkpoint", path, CONSUME, checkpoints::drop));
        }
        return routes.stream().map(Route::ofJobs).toList();
    }
}
