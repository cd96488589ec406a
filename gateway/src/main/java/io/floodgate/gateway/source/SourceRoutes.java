package io.floodgate.gateway.source;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.patch;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.Route;
import java.util.List;

/** The routes of sources and sinks. */
public final class SourceRoutes {
    private static final String SOURCES = "/ojs/v1/admin/sources";
    private static final String SOURCE = SOURCES + "/{name}";
    private static final String SINKS = "/ojs/v1/admin/sinks";
    private static final String SINK = SINKS + "/{name}";
    private static final int MAX_BODY = 64 * 1024;

    private SourceRoutes() {}

    public static List<Route> of(SourceOperations sources, Partitions partitions, SourceTopics topics) {
        var sinks = new SinkOperations(partitions, topics);
        return List.of(
                get("source.list", SOURCES, sources::list),
                get("source.get", SOURCE, sources::get),
                put("source.put", SOURCE, ADMIN, sources::put).upTo(MAX_BODY),
                patch("source.change", SOURCE, ADMIN, sources::change).upTo(MAX_BODY),
                delete("source.delete", SOURCE, ADMIN, sources::delete),
                post("source.rewind", SOURCE + "/rewind", ADMIN, sources::rewind)
                        .upTo(MAX_BODY),
                get("sink.list", SINKS, sinks::list),
                get("sink.get", SINK, sinks::get),
                put("sink.put", SINK, ADMIN, sinks::put).upTo(MAX_BODY),
                patch("sink.change", SINK, ADMIN, sinks::change).upTo(MAX_BODY),
                delete("sink.delete", SINK, ADMIN, sinks::delete),
                post("sink.rewind", SINK + "/rewind", ADMIN, sinks::rewind).upTo(MAX_BODY));
    }
}
