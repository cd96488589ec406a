package io.floodgate.gateway.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.EnvelopeReader;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for (OJS HTTP binding §10.1).
 *
 * @param patience how long it wants to wait; null if it does not say
 */
record FetchBody(
        List<String> queues,
        int count,
        @Nullable String worker,
        @Nullable Duration visibility,
        @Nullable Duration patience) {
    private static final long MAX_WAIT_MS = 60_000;

    static FetchBody read(RequestFields body) throws RefusedException {
        Optional<Long> wait = body.number("wait_ms");
        return new FetchBody(
                queues(body),
                Math.clamp(body.number("count").orElse(1L), 1, Fetch.MAX_COUNT),
                body.text("worker_id", Limits.NAME_CHARS),
                body.length("visibility_timeout_ms", "visibility_timeout"),
                wait.map(ms -> Duration.ofMillis(Math.clamp(ms, 0L, MAX_WAIT_MS)))
                        .orElse(null));
    }

    Fetch waiting(Duration wait) {
        Duration whole = Duration.ofMillis(Math.max(0, wait.toMillis()));
        return new Fetch(queues, count, worker, visibility, whole);
    }

    private static List<String> queues(RequestFields body) throws RefusedException {
        List<String> named = body.texts("queues");
        if (named.isEmpty()) throw RequestFields.wrong("queues", "The 'queues' field must name at least one queue.");
        if (named.size() > Limits.QUEUES_OF_A_FETCH)
            throw RequestFields.wrong(
                    "queues", "The 'queues' field may name at most %d queues.".formatted(Limits.QUEUES_OF_A_FETCH));
        SequencedSet<String> queues = new LinkedHashSet<>(named);
        Optional<String> wrong =
                queues.stream().filter(q -> !EnvelopeReader.isQueueName(q)).findFirst();
        if (wrong.isPresent())
            throw new RefusedException(Refusal.of(
                            ErrorCode.INVALID_QUEUE,
                            "'%s' cannot be the name of a queue.".formatted(Limits.echo(wrong.get())))
                    .with("field", "queues"));
        long bytes =
                queues.stream().mapToLong(name -> name.getBytes(UTF_8).length).sum();
        if (bytes > Limits.QUEUE_BYTES_OF_A_FETCH)
            throw RequestFields.wrong(
                    "queues",
                    "The names in 'queues' may have %d bytes in all.".formatted(Limits.QUEUE_BYTES_OF_A_FETCH));
        return List.copyOf(queues);
    }
}
