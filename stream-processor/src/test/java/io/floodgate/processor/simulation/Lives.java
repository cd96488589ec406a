package io.floodgate.processor.simulation;

import io.floodgate.topics.json.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The lives of jobs as their events tell them: every event once, every step legal (OJS core §6.3). */
final class Lives {
    /** What an event may turn into what; {@code -} is an unknown job. */
    private static final List<String> LEGAL = List.of(
            "job.enqueued: - scheduled pending > available",
            "job.scheduled: - pending available > scheduled",
            "job.pending: - > pending",
            "job.started: available > active",
            "job.heartbeat: active > active",
            "job.completed: active > completed",
            "job.failed: active > retryable discarded available",
            "job.retrying: retryable > retryable",
            "floodgate.job_postponed: active > retryable",
            "job.available: active available retryable discarded cancelled > available",
            "job.expired: scheduled available pending retryable > discarded",
            "job.discarded: discarded > discarded",
            "job.cancelled: scheduled available pending active retryable > cancelled",
            "job.moved: - scheduled available pending active retryable > scheduled available pending retryable",
            "dead_letter.added: discarded > discarded",
            "dead_letter.retried: discarded available > available",
            "job.deleted: completed cancelled > completed cancelled",
            "dead_letter.deleted: discarded available > discarded available");

    private static final List<String> UNFINISHED = List.of("scheduled", "available", "pending", "active", "retryable");

    /** Why a job is available again although it was not run. */
    private static final List<String> GIVEN_BACK = List.of("requeued", "worker_left", "withdrawn", "not_received");

    /** Why one is tried from the beginning. */
    private static final List<String> AGAIN = List.of("dead_letter", "retried");

    private static final Map<String, List<String>> BEFORE = new LinkedHashMap<>();
    private static final Map<String, List<String>> AFTER = new LinkedHashMap<>();

    static {
        for (String rule : LEGAL) {
            String[] parts = rule.split(": | > ", -1);
            BEFORE.put(parts[0], List.of(parts[1].split(" ", -1)));
            AFTER.put(parts[0], List.of(parts[2].split(" ", -1)));
        }
    }

    /** Where a job is, and the number of its last lease. */
    record Life(String state, int attempt, long lease) {}

    /** Rules are made to fail. */
    private final boolean rulesFail;

    private final Map<String, Life> lives = new LinkedHashMap<>();
    private final Set<String> ids = new LinkedHashSet<>();
    /** Those that have come from elsewhere, which is not told there. */
    private final Set<String> moved = new LinkedHashSet<>();

    Lives() {
        this(false);
    }

    Lives(boolean rulesFail) {
        this.rulesFail = rulesFail;
    }

    void see(byte[] envelope) {
        JsonNode event = Json.tree(envelope);
        String type = event.get("type").stringValue();
        if (!ids.add(event.get("id").stringValue())) throw new AssertionError("told twice: " + event);
        if (!rulesFail && type.equals("floodgate.processing_failed"))
            throw new AssertionError("a rule threw: " + event);
        if (BEFORE.containsKey(type)) see(type, event.get("data"));
    }

    private void see(String type, JsonNode data) {
        String job = data.get("job_id").stringValue();
        Life before = lives.getOrDefault(job, new Life("-", 0, 0));
        String state = data.get("state").stringValue();
        int attempt = data.get("attempt").intValue();
        long lease = type.equals("job.started") ? data.get("lease").longValue() : before.lease;
        String error =
                type.equals("job.discarded") ? data.at("/last_error/type").stringValue("") : "";
        boolean isDismissed = (List.of("overflow", "rate_limited").contains(error) && before.state.equals("available"))
                || (error.equals("queue_deleted") && UNFINISHED.contains(before.state));
        boolean isDeadLettered =
                type.equals("job.available") && data.get("reason").stringValue().equals("dead_letter");
        if (isDeadLettered != (type.equals("job.available") && before.state.equals("discarded")))
            throw new AssertionError("%s after %s: %s".formatted(type, before, data));
        boolean legal = (isDismissed || BEFORE.get(type).contains(before.state))
                && AFTER.get(type).contains(state)
                && attempt == attemptAfter(type, before, data)
                && (type.equals("job.started") ? lease > before.lease : lease == before.lease);
        if (!legal) throw new AssertionError("%s after %s: %s".formatted(type, before, data));
        if (type.equals("job.moved")) moved.add(job);
        if (type.equals("dead_letter.deleted") || type.equals("job.deleted")) lives.remove(job);
        else lives.put(job, new Life(state, attempt, lease));
    }

    private static int attemptAfter(String type, Life before, JsonNode data) {
        return switch (type) {
            case "job.started" -> before.attempt + 1;
            case "job.available" ->
                AGAIN.contains(data.get("reason").stringValue())
                        ? 0
                        : GIVEN_BACK.contains(data.get("reason").stringValue()) ? before.attempt - 1 : before.attempt;
            case "floodgate.job_postponed" -> before.attempt - 1;
            case "job.moved" -> data.get("attempt").intValue();
            case "dead_letter.retried" -> 0;
            default -> before.attempt;
        };
    }

    /** The job's retention is over: its id may begin a new life. */
    void forget(String job) {
        lives.remove(job);
    }

    Set<String> moved() {
        return moved;
    }

    Map<String, Life> all() {
        return lives;
    }
}
