package io.floodgate.gateway;

import io.floodgate.gateway.connection.Connections;
import io.floodgate.gateway.connection.Peer.Limits;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.TransportErrors;
import io.floodgate.gateway.tls.ServerTls;
import io.floodgate.topics.Topics;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;
import java.util.Optional;

/** The web server with its limits. */
final class HttpServer implements AutoCloseable {
    /** A job's type, a queue's name and a few filters fit easily. */
    private static final int MAX_REQUEST_LINE = 8 * 1024;

    private static final int MAX_HEADERS = 16 * 1024;
    /** Room for connections that are on their way out. */
    private static final int SLACK = 256;

    private final WebServer server;
    private final Connections connections;
    private final Optional<ServerTls> tls;

    private HttpServer(WebServer server, Connections connections, Optional<ServerTls> tls) {
        this.server = server;
        this.tls = tls;
        this.connections = connections;
    }

    static HttpServer start(
            GatewayConfig config, Dispatcher dispatcher, GatewayContext parts, Duration grace, Limits limits) {
        Http1Config http = Http1Config.builder()
                .maxPrologueLength(MAX_REQUEST_LINE)
                .maxHeadersSize(MAX_HEADERS)
                .sendKeepAliveHeader(false)
                .build();
        Connections connections =
                new Connections(http, config.limits().connections(), limits, TransportErrors.tooSlow(), parts.heads());
        parts.traffic()
                .buffers()
                .add("connections", connections::count, config.limits().connections());
        Optional<ServerTls> tls = config.access().tls().map(ServerTls::of);
        Handler guarded = tls.isPresent() ? tls.get().guard(dispatcher) : dispatcher;
        WebServerConfig.Builder builder = WebServer.builder()
                .host(config.host())
                .port(config.port())
                .protocolsDiscoverServices(false)
                .addConnectionSelector(connections)
                .maxTcpConnections(config.limits().connections() + SLACK)
                .maxPayloadSize(Topics.MAX_RECORD_BYTES)
                .directHandlers(TransportErrors.handlers(parts.clock(), parts.ids()))
                .shutdownHook(false)
                .shutdownGracePeriod(grace)
                .connectionOptions(options -> options.tcpNoDelay(true))
                .routing(HttpRouting.builder().any(guarded));
        tls.ifPresent(encryption -> builder.tls(encryption.tls()));
        return new HttpServer(builder.build().start(), connections, tls);
    }

    int port() {
        return server.port();
    }

    /** Looks for callers that take too long; happens by itself, too. */
    void sweep() {
        connections.sweep();
    }

    @Override
    public void close() {
        server.stop();
        connections.close();
        tls.ifPresent(ServerTls::close);
    }
}
