package io.floodgate.gateway.unique;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The jobs that have keys, with what their own partitions say of them now. */
record KeyHolding(Partitions partitions) {
    /** Jobs that are asked for at once. */
    private static final int AT_ONCE = 25;

    /**
     * A job that has a key.
     *
     * @param row what the home of the key knows of it
     * @param job as its own partition shows it; null if it is forgotten, or was not asked for
     */
    record Holding(String key, byte[] row, byte @Nullable [] job) {
        static List<Holding> in(RequestFields key) throws RejectedException {
            List<Holding> found = new ArrayList<>();
            JsonNode jobs = key.tree("jobs");
            String name = String.valueOf(key.text("key"));
            if (jobs != null) for (JsonNode row : jobs) found.add(new Holding(name, Json.bytes(row), null));
            return found;
        }

        private Optional<String> ofJob(String name) {
            return job == null ? Optional.empty() : MemberWalk.text(job, name);
        }

        private String id() {
            return MemberWalk.text(row, "job_id").orElse("");
        }

        boolean is(Optional<String> type, Optional<String> queue) {
            return (type.isEmpty() || type.equals(ofJob("type"))) && (queue.isEmpty() || queue.equals(ofJob("queue")));
        }

        /** The state is that at the job's own partition; of a job that is forgotten, that in which it ended. */
        void write(JsonOut out) {
            out.beginObject()
                    .field("key", key)
                    .field("job_id", id())
                    .optional("type", ofJob("type").orElse(null))
                    .optional("queue", ofJob("queue").orElse(null))
                    .optional(
                            "state",
                            ofJob("state")
                                    .or(() -> MemberWalk.text(row, "ended"))
                                    .orElse(null))
                    .optional("created_at", MemberWalk.text(row, "created_at").orElse(null))
                    .optional(
                            "locked_until", MemberWalk.text(row, "locked_until").orElse(null));
            MemberWalk members = new MemberWalk(row);
            while (members.next()) if (members.nameIs("states")) out.fieldRaw("states", members.raw());
            out.endObject();
        }
    }

    /** Asks for the jobs, each at its own partition. */
    List<Holding> complete(Call call, List<Holding> rows) throws CommandFailed, RejectedException {
        List<Holding> complete = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += AT_ONCE) {
            List<Holding> some = rows.subList(from, Math.min(from + AT_ONCE, rows.size()));
            List<CompletableFuture<Reply>> asked = new ArrayList<>();
            for (Holding row : some) {
                JobId id = JobId.parse(row.id()).orElseThrow();
                asked.add(partitions.by(call).ofJob(id).send(new GetJob(id)));
            }
            for (int i = 0; i < some.size(); i++) {
                Holding row = some.get(i);
                complete.add(new Holding(row.key, row.row, job(Replies.await(asked.get(i)))));
            }
        }
        return complete;
    }

    private static byte @Nullable [] job(Reply reply) throws RejectedException {
        boolean isGone =
                reply instanceof Reply.Rejected rejected && rejected.rejection().code() == ErrorCode.NOT_FOUND;
        return isGone ? null : JobAnswer.of(reply).job();
    }
}
