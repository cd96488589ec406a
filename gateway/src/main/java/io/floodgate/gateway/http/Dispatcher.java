package io.floodgate.gateway.http;

import io.floodgate.gateway.access.ApiPrincipal;
import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.Reach;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.connection.MalformedBody;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.gateway.overload.Importance;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.UnreadableJob;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request to its route: demands are checked before, and every outcome leaves as a proper answer. */
public final class Dispatcher implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int LONGEST_REQUEST_ID = 200;
    /** Status in the metrics for a caller that had disconnected, since HTTP has none. */
    private static final int CALLER_GONE = 499;

    private final RouteTable routes;
    private final HostCheck hosts;
    private final CorsPolicy origins;
    private final Authenticator callers;
    private final MemoryBudget memory;
    private final Overload overload;
    private final Observer observer;
    private final Ids ids;
    private final StandardHeaders standard;

    /**
     * @param memory what the requests and answers of all callers have to share
     * @param overload what is rejected before it is read
     */
    public Dispatcher(
            RouteTable routes,
            HostCheck hosts,
            CorsPolicy origins,
            Authenticator callers,
            MemoryBudget memory,
            Overload overload,
            Observer observer,
            Clock clock,
            Ids ids) {
        this.routes = routes;
        this.hosts = hosts;
        this.origins = origins;
        this.callers = callers;
        this.memory = memory;
        this.overload = overload;
        this.observer = observer;
        this.ids = ids;
        standard = new StandardHeaders(clock);
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        long begun = System.nanoTime();
        Peer peer = Peer.current();
        if (peer != null) {
            peer.hasBegun();
            if (!request.content().hasEntity()) peer.hasSent();
        }
        String path = request.prologue().uriPath().rawPath();
        RouteTable.Match match = routes.find(request.prologue().method(), path);
        MemoryClass memoryClass =
                match == null ? MemoryClass.ORDINARY : match.route().memoryClass();
        boolean last;
        int status = CALLER_GONE;
        // The body, and what was made of it, is there until the answer is written.
        try (MemoryBudget.Share share = memory.share(memoryClass)) {
            last = serve(request, response, match, share);
            status = response.status().code();
        } finally {
            String name = match == null ? Observer.NO_ROUTE : match.route().name();
            observer.served(name, status, Duration.ofNanos(System.nanoTime() - begun));
        }
        if (last) throw new CloseConnectionException("This was the last answer on the connection.");
        // What was rejected unread is still on its way: it must not be taken for the beginning of the next request.
        if (request.content().hasEntity() && !request.content().consumed()) skipRest(request);
        if (peer != null) peer.isIdle();
    }

    private static void skipRest(ServerRequest request) {
        try {
            request.content().consume();
        } catch (MalformedBody malformed) {
            throw new CloseConnectionException("The end of the body cannot be found.", malformed);
        }
    }

    /** Returns whether the connection ends with this answer. */
    private boolean serve(
            ServerRequest request,
            ServerResponse response,
            RouteTable.@Nullable Match match,
            MemoryBudget.Share share) {
        Call call = match == null
                ? new Call(request, requestId(request), Map.of(), 0, share)
                : new Call(
                        request,
                        requestId(request),
                        match.parameters(),
                        match.route().maxBody(),
                        share);
        ServerResponseHeaders headers = response.headers();
        ApiResponse answer;
        boolean last = request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
        try {
            try {
                answer = answer(call, request, match);
            } catch (MalformedBody malformed) {
                answer = ErrorAnswers.answer(RequestBody.rejection(malformed), call.requestId());
                last = true;
            }
            if (answer instanceof ApiResponse.Whole whole && whole.status().equals(Status.SERVICE_UNAVAILABLE_503))
                overload.answeredUnavailable(whole.body());
            last |= isUndecided(request);
            if (last) headers.set(HeaderValues.CONNECTION_CLOSE);
            standard.addTo(headers, call.requestId());
            origins.addTo(headers, request.headers());
            AnswerWriter.write(answer, call, request, response);
        } finally {
            call.end();
        }
        return last;
    }

    /** The caller asked whether to send its body and got no consent: the body may come all the same. */
    private static boolean isUndecided(ServerRequest request) {
        return request.content().hasEntity() && !request.continueSent();
    }

    private ApiResponse answer(Call call, ServerRequest request, RouteTable.@Nullable Match match) {
        try {
            Method method = request.prologue().method();
            hosts.check(request.headers());
            // Browsers show no key when they ask whether they may send one.
            if (match == null && method.equals(Method.OPTIONS)) return withoutRoute(call, request, method);
            call.isFrom(caller(request, match));
            if (match == null) return withoutRoute(call, request, method);
            origins.check(method, request.headers());
            Demands.check(request.headers());
            mustMay(call, match.route());
            Importance importance = match.route().importance();
            Optional<Rejection> full = overload.reject(importance);
            if (full.isPresent()) return ErrorAnswers.answer(full.get(), call.requestId());
            if (importance != Importance.ALWAYS) call.isGuardedBy(client -> overload.guard(client, importance));
            return match.route().operation().handle(call);
        } catch (RejectedException e) {
            return ErrorAnswers.answer(e.rejection(), call.requestId());
        } catch (UnreadableJob e) {
            return ErrorAnswers.answer(e.rejection(), call.requestId());
        } catch (CommandFailed e) {
            return ErrorAnswers.answer(e, call.requestId());
        } catch (InsufficientDataAvailableException e) {
            throw new CloseConnectionException("The caller went away while it was still sending.", e);
        } catch (CloseConnectionException | UncheckedIOException | RequestException | MalformedBody e) {
            // A broken connection, or what was sent is no HTTP: handled where the connection is.
            throw e;
        } catch (RuntimeException e) {
            LOG.error("Request {} failed unexpectedly and was answered with 500.", call.requestId(), e);
            Rejection fault = Rejection.of(ErrorCode.INTERNAL_ERROR, "The server failed to handle this request.");
            return ErrorAnswers.answer(fault, call.requestId());
        }
    }

    private ApiPrincipal caller(ServerRequest request, RouteTable.@Nullable Match match) throws RejectedException {
        boolean open = match != null && match.route().scope() == Scope.PUBLIC;
        if (open) return ApiPrincipal.PUBLIC;
        ApiPrincipal caller = callers.identify(request.headers(), request.remotePeer());
        Peer peer = Peer.current();
        if (peer != null) peer.isKnown();
        return caller;
    }

    private static void mustMay(Call call, Route route) throws RejectedException {
        call.caller().mustMay(route.scope(), route.reach());
        if (route.reach() == Reach.QUEUE) call.caller().mustUse(call.parameter("name"));
    }

    /** A preflight, a wrong method, or an unknown path. */
    private ApiResponse withoutRoute(Call call, ServerRequest request, Method method) throws RejectedException {
        List<String> methods = routes.methods(call.path());
        if (methods.isEmpty()) {
            Optional<Rejection> missing = MissingFeatures.at(call.path());
            throw missing.isPresent() ? new RejectedException(missing.get()) : nothingAt(call.path());
        }
        if (method.equals(Method.OPTIONS))
            return new ApiResponse.Empty(Status.NO_CONTENT_204, headers -> {
                headers.set(allow(methods));
                origins.addPreflightTo(headers, request.headers(), methods);
            });
        String offered = String.join(", ", methods);
        Rejection rejection = Rejection.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "This path does not offer that method; it offers %s.".formatted(offered))
                .with("allowed", offered);
        return ErrorAnswers.answer(rejection, call.requestId()).with(allow(methods));
    }

    /** Returns the rejection of a path without a route. */
    public static RejectedException nothingAt(String path) {
        String shown = path.length() > 200 ? path.substring(0, 200) + "…" : path;
        return new RejectedException(Rejection.of(ErrorCode.NOT_FOUND, "There is nothing at '%s'.".formatted(shown))
                .with("resource_type", "route")
                .with("resource_id", shown));
    }

    private static Header allow(List<String> methods) {
        return HeaderValues.create(HeaderNames.ALLOW, String.join(", ", methods) + ", OPTIONS");
    }

    private String requestId(ServerRequest request) {
        String given = request.headers().contains(StandardHeaders.REQUEST_ID)
                ? request.headers().get(StandardHeaders.REQUEST_ID).get()
                : "";
        return isPrintable(given) ? given : ids.request();
    }

    private static boolean isPrintable(String text) {
        if (text.isEmpty() || text.length() > LONGEST_REQUEST_ID) return false;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) < 0x21 || text.charAt(i) > 0x7E) return false;
        return true;
    }
}
