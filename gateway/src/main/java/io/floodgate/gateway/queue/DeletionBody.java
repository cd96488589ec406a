package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.Deletion;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a queue is to be deleted. Fields of the body may be in the query, for clients and proxies that send
 * no body with a DELETE; without any, a queue with unfinished jobs stays.
 */
final class DeletionBody {
    private static final String STRATEGY = "strategy";
    private static final String TARGET = "target_queue";

    private DeletionBody() {}

    static DeleteQueue read(String queue, Call call) throws RejectedException {
        RequestFields body = call.jsonIfAny().only(Set.of(STRATEGY, TARGET));
        String strategy = said(STRATEGY, body, call).orElse(Deletion.REJECT.wire());
        Deletion deletion = WireName.parse(Deletion.class, strategy).orElseThrow(() -> unknown(strategy));
        return new DeleteQueue(queue, deletion, target(deletion, queue, said(TARGET, body, call)));
    }

    private static @Nullable String target(Deletion deletion, String queue, Optional<String> said)
            throws RejectedException {
        if (deletion != Deletion.MOVE) {
            if (said.isEmpty()) return null;
            throw RequestFields.wrong(TARGET, "The '%s' field is for the strategy 'move' alone.".formatted(TARGET));
        }
        String target = said.orElseThrow(
                () -> RequestFields.wrong(TARGET, "The '%s' field is required to move jobs.".formatted(TARGET)));
        if (!EnvelopeReader.isQueueName(target))
            throw RequestFields.wrong(TARGET, "'%s' cannot be the name of a queue.".formatted(Limits.echo(target)));
        if (target.equals(queue))
            throw RequestFields.wrong(TARGET, "The '%s' field names the queue that is deleted.".formatted(TARGET));
        return target;
    }

    private static Optional<String> said(String name, RequestFields body, Call call) throws RejectedException {
        String inBody = body.text(name);
        Optional<String> inQuery = call.query(name);
        if (inBody == null) return inQuery;
        if (inQuery.isPresent() && !inQuery.get().equals(inBody))
            throw RequestFields.wrong(
                    name, "'%s' is one thing in the body, and another one in the query.".formatted(name));
        return Optional.of(inBody);
    }

    private static RejectedException unknown(String strategy) {
        return RequestFields.wrong(
                STRATEGY,
                "There is no strategy '%s'; use reject, discard, move or drain.".formatted(Limits.echo(strategy)));
    }
}
