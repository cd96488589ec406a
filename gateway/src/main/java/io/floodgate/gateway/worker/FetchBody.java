package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.EnvelopeReader;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** What a worker asks for (OJS HTTP binding §10.1). */
final class FetchBody {
    private static final int MAX_QUEUES = 1_000;
    private static final long MAX_WAIT_MS = 60_000;

    private FetchBody() {}

    static Fetch read(RequestFields body) throws RefusedException {
        return new Fetch(
                queues(body),
                Math.clamp(body.number("count").orElse(1L), 1, Fetch.MAX_COUNT),
                body.text("worker_id"),
                body.length("visibility_timeout_ms", "visibility_timeout"),
                Duration.ofMillis(Math.clamp(body.number("wait_ms").orElse(0L), 0L, MAX_WAIT_MS)));
    }

    private static List<String> queues(RequestFields body) throws RefusedException {
        List<String> named = body.texts("queues");
        if (named.isEmpty()) throw RequestFields.wrong("queues", "The 'queues' field must name at least one queue.");
        if (named.size() > MAX_QUEUES)
            throw RequestFields.wrong("queues", "The 'queues' field may name at most %d queues.".formatted(MAX_QUEUES));
        SequencedSet<String> queues = new LinkedHashSet<>(named);
        Optional<String> wrong =
                queues.stream().filter(q -> !EnvelopeReader.isQueueName(q)).findFirst();
        if (wrong.isPresent())
            throw new RefusedException(
                    Refusal.of(ErrorCode.INVALID_QUEUE, "'%s' cannot be the name of a queue.".formatted(wrong.get()))
                            .with("field", "queues"));
        return List.copyOf(queues);
    }
}
