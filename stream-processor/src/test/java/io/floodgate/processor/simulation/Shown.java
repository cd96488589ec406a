package io.floodgate.processor.simulation;

import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What matters of a reply, on one line, as the reference words it too. */
final class Shown {
    private static final List<String> COUNTS = List.of(
            "depth",
            "available",
            "active",
            "scheduled",
            "retryable",
            "pending",
            "completed",
            "discarded",
            "cancelled",
            "dead",
            "size_bytes");

    private Shown() {}

    static String reply(Command command, Reply reply) {
        if (reply instanceof Reply.Rejected rejected)
            return "rejected " + rejected.rejection().code();
        List<JsonNode> lines =
                ((Reply.Done) reply).lines().stream().map(Json::tree).toList();
        return switch (command) {
            case Enqueue c -> job(lines.getFirst(), null);
            case EnqueueBatch c -> stored(lines);
            case Fetch c -> jobs(lines);
            case Watch c -> "ready " + lines.getFirst().get("ready");
            case GetQueue c -> queue(lines.getFirst());
            case ConfigureQueue c -> queue(lines.getFirst());
            case Pause c -> queue(lines.getFirst());
            case DeleteQueue c -> deleted(lines.getFirst());
            case Resume c -> queue(lines.getFirst());
            case JobCommand.DeleteDead c -> "deleted";
            case JobCommand.DeleteJob c -> "deleted";
            case JobCommand c -> job(lines.getFirst(), lines.size() > 1 ? lines.get(1) : null);
            case WorkerCommand.Beat c -> lines.getFirst().get("state").stringValue();
            case WorkerCommand.Leave c -> "left";
            case WorkerCommand.GetWorker c -> lines.getFirst().get("state").stringValue();
            case Extend c -> extended(lines.getFirst());
            case Withdraw c -> "withdrawn";
            case ListDead c -> page(lines.getFirst(), lines.subList(1, lines.size()));
            case Tick c -> "ticked";
            default -> throw new IllegalArgumentException("the walk does not compare replies to " + command);
        };
    }

    /** A filtered page may have a cursor though nothing follows; it must have one when something does. */
    private static String page(JsonNode head, List<JsonNode> jobs) {
        boolean leads = head.has("next") || head.get("total").intValue() <= jobs.size();
        return "total %s leads on %s %s".formatted(head.get("total"), leads, jobs(jobs));
    }

    private static String deleted(JsonNode reply) {
        return "%s %s %s affected %s left %s %s"
                .formatted(
                        reply.get("queue").stringValue(),
                        reply.get("strategy").stringValue(),
                        reply.path("target_queue").asString("null"),
                        reply.get("jobs_affected"),
                        reply.get("jobs_left"),
                        reply.get("state").stringValue());
    }

    private static String extended(JsonNode reply) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("extended", "lost", "cancelled"))
            text.append(text.isEmpty() ? "" : " ").append(name).append(' ').append(reply.get(name));
        return text.toString();
    }

    /** Lines that tell how full the queues are follow those of the jobs. */
    private static String stored(List<JsonNode> lines) {
        return jobs(lines.stream().filter(line -> !line.has("load")).toList());
    }

    private static String jobs(List<JsonNode> lines) {
        return String.join(" | ", lines.stream().map(line -> job(line, line)).toList());
    }

    private static String job(JsonNode job, @Nullable JsonNode errors) {
        List<String> words = new ArrayList<>();
        if (job.has("id")) words.add(job.get("id").stringValue());
        words.add("%s p%s %s attempt %s"
                .formatted(
                        job.get("queue").stringValue(),
                        job.get("priority"),
                        job.get("state").stringValue(),
                        job.get("attempt")));
        for (String name : List.of("worker_id", "lease")) {
            if (job.has(name)) words.add(name + " " + job.get(name).asString());
        }
        for (String name : List.of("lease_expires_at", "next_attempt_at", "scheduled_at", "expires_at")) {
            if (job.has(name))
                words.add(
                        name + " " + Instant.parse(job.get(name).stringValue()).toEpochMilli());
        }
        if (errors != null && errors.has("errors"))
            words.add("errors "
                    + String.join(
                            ",",
                            errors.get("errors")
                                    .valueStream()
                                    .map(error -> error.get("type").stringValue())
                                    .toList()));
        return String.join(" ", words);
    }

    static String queue(JsonNode status) {
        if (!status.has("state")) return status.get("name").stringValue();
        StringBuilder text = new StringBuilder("%s %s"
                .formatted(status.get("name").stringValue(), status.get("state").stringValue()));
        for (String name : COUNTS) text.append(String.format(Locale.ROOT, " %s=%s", name, status.get(name)));
        return text.toString();
    }
}
