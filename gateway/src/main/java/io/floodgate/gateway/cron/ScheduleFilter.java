package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The selection of a list of schedules, and what it shows of the last occurrence of each. */
final class ScheduleFilter {
    private ScheduleFilter() {}

    static boolean matches(RequestFields schedule, @Nullable String enabled, Call call) throws RejectedException {
        if (enabled != null && schedule.flag("enabled") != Boolean.parseBoolean(enabled)) return false;
        Optional<String> queue = call.query("queue");
        Optional<String> manager = call.query("managed_by");
        return (queue.isEmpty() || queue.get().equals(schedule.text("queue")))
                && (manager.isEmpty() || Objects.equals(manager.get(), schedule.text("managed_by")));
    }

    /** Null before the first occurrence, and for a schedule that was removed meanwhile. */
    static byte @Nullable [] latest(CompletableFuture<Reply> asked) throws CommandFailed, RejectedException {
        if (!(Replies.await(asked) instanceof Reply.Done done)) return null;
        JsonNode history = RequestFields.of(done.lines().getFirst()).tree("history");
        return history == null || history.isEmpty() ? null : Json.bytes(history.get(0));
    }
}
