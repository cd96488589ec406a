package io.floodgate.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that answers as a test says: at once by a rule, or when the test answers. */
final class FakeServer implements Transport {
    record Request(PendingCommand pendingCommand, long at, CompletableFuture<SendResult> answer) {
        List<String> types() {
            return pendingCommand.jobs().stream().map(FakeServer::type).toList();
        }

        void answers(SendResult what) {
            answer.complete(what);
        }
    }

    static final SendResult STORED = new SendResult.Stored(Optional.empty());

    private final Time time;
    private final List<Request> requests = new ArrayList<>();
    private @Nullable Function<PendingCommand, SendResult> rule;
    private boolean closed;

    FakeServer(Time time) {
        this.time = time;
    }

    static SendResult full(int retryAfter) {
        return new SendResult.Rejected(
                "QUEUE_FULL",
                "Queue 'email' has reached its depth bound (10)",
                true,
                true,
                retryAfter == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(retryAfter)),
                Map.of("queue", "email", "depth", "10", "bound", "10"));
    }

    static SendResult unavailable() {
        return new SendResult.Unavailable("BACKEND_UNAVAILABLE", "No answer.", true, Optional.empty());
    }

    static SendResult wrong() {
        return new SendResult.Rejected("invalid_request", "Wrong.", false, false, Optional.empty(), Map.of());
    }

    static SendResult duplicate(String id) {
        return new SendResult.Rejected(
                "duplicate", "It is there.", false, false, Optional.empty(), Map.of("existing_job_id", id));
    }

    private static String type(OutgoingJob job) {
        return job.text().replaceAll(".*\"type\":\"([^\"]*)\".*", "$1");
    }

    /** From now on, answers like this at once. */
    void follows(Function<PendingCommand, SendResult> value) {
        rule = value;
    }

    void answersAll(SendResult answer) {
        follows(pendingCommand -> answer);
    }

    @Override
    public CompletableFuture<SendResult> send(PendingCommand pendingCommand) {
        var request = new Request(pendingCommand, time.now(), new CompletableFuture<>());
        requests.add(request);
        if (rule != null) request.answers(rule.apply(pendingCommand));
        return request.answer;
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    int count() {
        return requests.size();
    }

    Request last() {
        return requests.getLast();
    }

    /** When requests came, in seconds. */
    List<Double> times() {
        return requests.stream()
                .map(request -> (double) request.at / Duration.ofSeconds(1).toNanos())
                .toList();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
    }
}
