package io.floodgate.gateway.console;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.BundledFile;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.StaticFile;
import io.floodgate.topics.client.RejectedException;
import io.helidon.http.Header;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The console as browsers load it: a page and its modules, the same for everyone, without data. */
public final class ConsoleFiles {
    static final String INDEX = "index.html";

    /** Names of the files that are served: nothing in a path leads anywhere else. */
    static final List<String> NAMES = List.of(
            "console.css",
            "icon.svg",
            "lit-html.js",
            "lit-repeat.js",
            "lit-directive.js",
            "lit-directive-helpers.js",
            "app.js",
            "actions.js",
            "actions-sharing.js",
            "api.js",
            "chart.js",
            "codec.js",
            "explanation.js",
            "format.js",
            "graph.js",
            "json.js",
            "keys.js",
            "order.js",
            "router.js",
            "session.js",
            "store.js",
            "stream.js",
            "widgets.js",
            "page-dead.js",
            "page-events.js",
            "page-job.js",
            "page-jobs.js",
            "page-keys.js",
            "page-limits.js",
            "page-overview.js",
            "page-pools.js",
            "page-queue.js",
            "page-queues.js",
            "page-schedule.js",
            "page-schedules.js",
            "page-settings.js",
            "page-system.js",
            "page-tenants.js",
            "page-sources.js",
            "page-webhooks.js",
            "page-workers.js",
            "page-workflow.js",
            "page-workflows.js");

    private final List<Header> security;
    private final Map<String, StaticFile> files = new HashMap<>();

    /** @param codecServer which the pages may ask to decode arguments */
    public ConsoleFiles(Optional<URI> codecServer) {
        security = StaticFile.security(codecServer
                .map(url -> " %s://%s".formatted(url.getScheme(), url.getRawAuthority()))
                .orElse(""));
        for (String name : NAMES) put(name);
        put(INDEX);
    }

    public ApiResponse index(Call call) throws RejectedException {
        return file(call, INDEX);
    }

    public ApiResponse file(Call call) throws RejectedException {
        String name = call.parameter("file");
        if (name.equals(INDEX)) throw Dispatcher.nothingAt(call.path());
        return file(call, name);
    }

    private ApiResponse file(Call call, String name) throws RejectedException {
        StaticFile file = files.get(name);
        if (file == null) throw Dispatcher.nothingAt(call.path());
        return file.answer(call, security);
    }

    private void put(String name) {
        files.put(name, StaticFile.of(name, BundledFile.read(ConsoleFiles.class, name)));
    }
}
