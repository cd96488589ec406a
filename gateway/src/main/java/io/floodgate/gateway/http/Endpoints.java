package io.floodgate.gateway.http;

import io.floodgate.gateway.connection.Caller;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.UnreadableJob;
import io.helidon.common.buffers.DataReader.InsufficientDataAvailableException;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns operations into handlers: demands are checked before, and every outcome leaves as a proper answer. */
public final class Endpoints {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoints.class);
    private static final int LONGEST_REQUEST_ID = 200;

    private record Known(Method method, PathMatcher path) {}

    private final Ids ids;
    private final BodyBudget bodies;
    private final StandardHeaders standard;
    /** Every path and its methods: only asked when no route matched. */
    private final List<Known> known = new ArrayList<>();

    /** @param bodies what the bodies of all requests have to share */
    public Endpoints(Clock clock, Ids ids, BodyBudget bodies) {
        this.ids = ids;
        this.bodies = bodies;
        standard = new StandardHeaders(clock);
    }

    /** The routes under a prefix. */
    public Mount under(String prefix, HttpRules rules) {
        return new Mount(prefix, rules);
    }

    /** Registers operations, and remembers their paths. */
    public final class Mount {
        private final String prefix;
        private final HttpRules rules;

        private Mount(String prefix, HttpRules rules) {
            this.prefix = prefix;
            this.rules = rules;
        }

        public Mount get(String path, Operation operation) {
            rules.route(Method.predicate(Method.GET, Method.HEAD), at(path), handler(operation));
            remember(path, Method.GET);
            return remember(path, Method.HEAD);
        }

        public Mount post(String path, Operation operation) {
            rules.post(path.isEmpty() ? "/" : path, handler(operation));
            return remember(path, Method.POST);
        }

        public Mount delete(String path, Operation operation) {
            rules.delete(path.isEmpty() ? "/" : path, handler(operation));
            return remember(path, Method.DELETE);
        }

        private Mount remember(String path, Method method) {
            known.add(new Known(method, PathMatchers.create(prefix + path)));
            return this;
        }

        private static PathMatcher at(String path) {
            return PathMatchers.create(path.isEmpty() ? "/" : path);
        }
    }

    /** For whatever no route wanted: a preflight, a wrong method, or an unknown path. */
    public Handler fallback() {
        return (request, response) -> {
            List<String> allowed = allowed(request);
            if (request.prologue().method().equals(Method.OPTIONS)) {
                preflight(request, response, allowed);
                return;
            }
            send(request, response, call -> {
                if (!allowed.isEmpty()) return methodNotAllowed(call, allowed);
                String path = request.path().rawPath();
                throw new RefusedException(Refusal.of(ErrorCode.NOT_FOUND, "There is nothing at '%s'.".formatted(path))
                        .with("resource_type", "route")
                        .with("resource_id", path));
            });
        };
    }

    private List<String> allowed(ServerRequest request) {
        List<String> methods = new ArrayList<>();
        for (Known route : known) {
            String method = route.method.text();
            if (!methods.contains(method)
                    && route.path.match(request.prologue().uriPath()).accepted()) methods.add(method);
        }
        return methods;
    }

    private static Answer methodNotAllowed(Call call, List<String> allowed) {
        Refusal refusal = Refusal.of(
                        ErrorCode.METHOD_NOT_ALLOWED,
                        "This path does not offer that method; it offers %s.".formatted(String.join(", ", allowed)))
                .with("allowed", String.join(", ", allowed));
        return Errors.answer(refusal, call.requestId()).with(allow(allowed));
    }

    private static Header allow(List<String> methods) {
        return HeaderValues.create(HeaderNames.ALLOW, String.join(", ", methods) + ", OPTIONS");
    }

    private void preflight(ServerRequest request, ServerResponse response, List<String> allowed) {
        ServerResponseHeaders headers = response.headers();
        standard.addTo(headers, requestId(request));
        Cors.addPreflightTo(headers);
        headers.set(allow(allowed));
        response.status(Status.NO_CONTENT_204).send();
        Caller caller = Caller.current();
        if (caller != null) caller.isIdle();
    }

    public Handler handler(Operation operation) {
        return (request, response) -> send(request, response, operation);
    }

    private void send(ServerRequest request, ServerResponse response, Operation operation) {
        Caller caller = Caller.current();
        if (caller != null && !request.content().hasEntity()) caller.hasSent();
        // The body, and what was made of it, is there until the answer is written.
        try (BodyBudget.Share share = bodies.share()) {
            Call call = new Call(request, requestId(request), share);
            Answer answer = answer(call, request, operation);
            ServerResponseHeaders headers = response.headers();
            standard.addTo(headers, call.requestId());
            if (request.headers().contains(HeaderNames.ORIGIN)) Cors.addTo(headers);
            if (isUndecided(request)) headers.set(HeaderValues.CONNECTION_CLOSE);
            switch (answer) {
                case Answer.Whole whole -> write(whole, request, response);
                case Answer.Streamed streamed -> stream(streamed, response);
            }
        }
        if (isUndecided(request)) throw new CloseConnectionException("The body was never asked for.");
        // What was refused unread is still on its way: it must not be taken for the beginning of the next request.
        if (request.content().hasEntity() && !request.content().consumed())
            request.content().consume();
        if (caller != null) caller.isIdle();
    }

    /** The caller asked whether to send its body and was not told to: nobody can say whether it comes all the same. */
    private static boolean isUndecided(ServerRequest request) {
        return request.content().hasEntity() && !request.continueSent();
    }

    private static Answer answer(Call call, ServerRequest request, Operation operation) {
        try {
            Demands.check(request.headers());
            return operation.handle(call);
        } catch (RefusedException e) {
            return Errors.answer(e.refusal(), call.requestId());
        } catch (UnreadableJob e) {
            return Errors.answer(e.refusal(), call.requestId());
        } catch (CommandFailed e) {
            return Errors.answer(e, call.requestId());
        } catch (InsufficientDataAvailableException e) {
            throw new CloseConnectionException("The caller went away while it was still sending.", e);
        } catch (CloseConnectionException | UncheckedIOException | RequestException e) {
            // A broken connection, or what was sent is no HTTP: both are the server's to handle.
            throw e;
        } catch (RuntimeException e) {
            LOG.error("Request {} failed unexpectedly; its caller is told so.", call.requestId(), e);
            Refusal fault = Refusal.of(ErrorCode.INTERNAL_ERROR, "The server failed to handle this request.");
            return Errors.answer(fault, call.requestId());
        }
    }

    private static void write(Answer.Whole answer, ServerRequest request, ServerResponse response) {
        Caller caller = Caller.current();
        if (caller != null) {
            if (caller.hasLeft()) {
                answer.unwritten().run();
                throw new CloseConnectionException("The caller has left before its answer was ready.");
            }
            caller.isReceiving();
        }
        ServerResponseHeaders headers = response.headers();
        headers.set(answer.contentType());
        for (Header header : answer.headers()) headers.set(header);
        response.status(answer.status());
        try {
            if (request.prologue().method().equals(Method.HEAD)) {
                headers.set(HeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
                response.send();
            } else {
                response.send(answer.body());
            }
        } catch (ServerConnectionException | UncheckedIOException gone) {
            answer.unwritten().run();
            throw gone;
        }
    }

    private static void stream(Answer.Streamed answer, ServerResponse response) {
        response.headers().set(answer.contentType());
        response.headers().set(HeaderValues.CACHE_NO_CACHE);
        try (OutputStream out = response.outputStream()) {
            answer.writer().writeTo(out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
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
