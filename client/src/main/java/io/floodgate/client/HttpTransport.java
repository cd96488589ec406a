package io.floodgate.client;

import io.floodgate.topics.job.TraceContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Sends jobs over the HTTP API. */
final class HttpTransport implements Transport {
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    /** Longer than a gateway waits for its partition: its answer says more than none. */
    private static final Duration ANSWERING = Duration.ofSeconds(15);

    private static final int MILLIS = 1_000;

    private final URI one;
    private final URI batch;
    private final Supplier<Map<String, String>> headers;
    private final Duration waitForRoom;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    /**
     * @param headers sent beside, a token for instance
     * @param waitForRoom how long the server may wait for room, if the queue blocks
     */
    HttpTransport(URI server, Supplier<Map<String, String>> headers, Duration waitForRoom) {
        String base = server.toString().replaceAll("/+$", "") + "/ojs/v1/jobs";
        one = URI.create(base);
        batch = URI.create(base + "/batch");
        this.headers = headers;
        this.waitForRoom = waitForRoom;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECTING)
                .executor(threads)
                .build();
    }

    @Override
    public CompletableFuture<SendResult> send(PendingCommand pendingCommand) {
        HttpRequest.Builder request = HttpRequest.newBuilder(pendingCommand.isSingle() ? one : batch)
                .timeout(ANSWERING.plus(waitForRoom))
                .header("Content-Type", "application/openjobspec+json")
                .POST(BodyPublishers.ofByteArray(
                        pendingCommand.isSingle() ? pendingCommand.first().json() : pendingCommand.toJson()));
        if (!waitForRoom.isZero())
            request.header("OJS-Block-Timeout", Double.toString((double) waitForRoom.toMillis() / MILLIS));
        if (pendingCommand.isSingle())
            TraceContext.in(pendingCommand.first().json()).ifPresent(context -> {
                request.header(TraceContext.TRACEPARENT, context.traceparent());
                if (context.tracestate() != null) request.header(TraceContext.TRACESTATE, context.tracestate());
            });
        headers.get().forEach(request::setHeader);
        return client.sendAsync(request.build(), LimitedBody.ofFailures())
                .handle((response, failure) -> response == null
                        ? HttpAnswers.failed(failure)
                        : HttpAnswers.read(response, pendingCommand.first().queue()));
    }

    /** Closes the client without waiting for what is under way. */
    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }
}
