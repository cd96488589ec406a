package io.floodgate.gateway;

import static io.floodgate.gateway.http.Route.get;

import io.floodgate.gateway.console.ConsoleFiles;
import io.floodgate.gateway.console.WhoAmI;
import io.floodgate.gateway.docs.SiteFiles;
import io.floodgate.gateway.explain.Overview;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.system.Manifest;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** The pages for operators, and what is there for them beside the rest of the API. */
final class ConsoleRoutes {
    private ConsoleRoutes() {}

    static List<Route> of(Overview overview, Clock clock, Optional<URI> codecServer) {
        WhoAmI caller = new WhoAmI(Manifest.version(), clock);
        SiteFiles docs = new SiteFiles();
        ConsoleFiles files = new ConsoleFiles(codecServer);
        return List.of(
                get("console.page", "/", files::index).forEveryone(),
                get("console.file", "/ui/{file}", files::file).forEveryone(),
                get("docs.index", "/docs", docs::index).forEveryone(),
                get("docs.file", "/docs/{file}", docs::file).forEveryone(),
                get("docs.file", "/docs/{section}/{file}", docs::file).forEveryone(),
                get("docs.file", "/docs/{section}/{group}/{file}", docs::file).forEveryone(),
                get("console.whoami", "/ojs/v1/whoami", caller::show).ofJobs(),
                get("console.overview", "/ojs/v1/admin/overview", overview::show)
                        .ofQueues());
    }
}
