package io.floodgate.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that answers as a test says: at once by a rule, or when it is told to. */
final class FakeServer implements Transport {
    record Request(Parcel parcel, long at, CompletableFuture<Answer> answer) {
        List<String> types() {
            return parcel.jobs().stream().map(FakeServer::type).toList();
        }

        void answers(Answer what) {
            answer.complete(what);
        }
    }

    static final Answer STORED = new Answer.Stored(Optional.empty());

    private final Time time;
    private final List<Request> requests = new ArrayList<>();
    private @Nullable Function<Parcel, Answer> rule;
    private boolean closed;

    FakeServer(Time time) {
        this.time = time;
    }

    static Answer full(int retryAfter) {
        return new Answer.Refused(
                "QUEUE_FULL",
                "Queue 'email' has reached its depth bound (10)",
                true,
                true,
                retryAfter == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(retryAfter)),
                Map.of("queue", "email", "depth", "10", "bound", "10"));
    }

    static Answer unavailable() {
        return new Answer.Unavailable("BACKEND_UNAVAILABLE", "No answer.", true, Optional.empty());
    }

    static Answer wrong() {
        return new Answer.Refused("invalid_request", "Wrong.", false, false, Optional.empty(), Map.of());
    }

    static Answer duplicate(String id) {
        return new Answer.Refused(
                "duplicate", "It is there.", false, false, Optional.empty(), Map.of("existing_job_id", id));
    }

    private static String type(Outgoing job) {
        return job.text().replaceAll(".*\"type\":\"([^\"]*)\".*", "$1");
    }

    /** From now on, answers like this at once. */
    void follows(Function<Parcel, Answer> value) {
        rule = value;
    }

    void answersAll(Answer answer) {
        follows(parcel -> answer);
    }

    @Override
    public CompletableFuture<Answer> send(Parcel parcel) {
        var request = new Request(parcel, time.now(), new CompletableFuture<>());
        requests.add(request);
        if (rule != null) request.answers(rule.apply(parcel));
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
