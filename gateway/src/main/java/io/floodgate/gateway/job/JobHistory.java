package io.floodgate.gateway.job;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The history of a job, as far as the job itself has it (OJS execution history §7.1): its coming, the runs that failed,
 * the latest run, and its end. It is there for as long as the job. All other changes, and who asked for them, are on
 * {@code ojs.events}.
 */
final class JobHistory {
    private record Happening(Instant at, byte[] entry) {}

    private final byte[] job;
    private final List<byte[]> errors;
    private final List<Happening> found = new ArrayList<>();

    private JobHistory(byte[] job, List<byte[]> errors) {
        this.job = job;
        this.errors = errors;
    }

    /** The oldest first. */
    static List<byte[]> of(JobAnswer answer) {
        JobHistory history = new JobHistory(answer.job(), failures(answer));
        history.begin();
        for (int i = 0; i < history.errors.size(); i++) history.failure(i);
        history.latestRun();
        history.end();
        // What happened at the same time stands in the order in which it must have happened.
        history.found.sort(Comparator.comparing(Happening::at));
        return history.found.stream().map(Happening::entry).toList();
    }

    private static List<byte[]> failures(JobAnswer answer) {
        try {
            return Members.elements(answer.errorHistory());
        } catch (MalformedJson impossible) {
            throw new IllegalStateException("a partition's answer is no JSON", impossible);
        }
    }

    private void begin() {
        add("job.created", text("created_at"), null, data -> {
            copy(data, "queue", "type");
            return data.field(
                    "args_size_bytes", raw("args").map(args -> args.length).orElse(0));
        });
        add("job.activated", text("activated_at"), null, data -> data);
        add("job.re_enqueued", text("re_enqueued_at"), null, data -> data);
    }

    private void failure(int number) {
        byte[] error = errors.get(number);
        boolean isLast = number == errors.size() - 1 && state().equals("discarded");
        String worker = MemberWalk.text(error, "worker_id").orElse(null);
        String at = MemberWalk.text(error, "occurred_at").orElse("");
        add("job.attempt_failed", at, worker, data -> {
            MemberWalk.text(error, "attempt").map(Long::parseLong).ifPresent(n -> data.field("attempt", n));
            return data.field("will_retry", !isLast).fieldRaw("error", error);
        });
    }

    private void latestRun() {
        String worker = MemberWalk.text(job, "worker_id").orElse(null);
        add("job.attempt_started", text("started_at"), worker, data -> {
            MemberWalk.text(job, "worker_id").ifPresent(name -> data.field("worker_id", name));
            return copy(data, "attempt");
        });
    }

    private void end() {
        switch (state()) {
            case "completed" ->
                add("job.attempt_completed", text("completed_at"), null, data -> {
                    Optional<Instant> start = Timestamps.parse(text("started_at"));
                    Optional<Instant> end = Timestamps.parse(text("completed_at"));
                    if (start.isPresent() && end.isPresent())
                        data.field(
                                "duration_ms",
                                Duration.between(start.get(), end.get()).toMillis());
                    return copy(data, "attempt");
                });
            case "cancelled" -> add("job.cancelled", text("cancelled_at"), null, data -> copy(data, "previous_state"));
            case "discarded" ->
                add("job.discarded", text("discarded_at"), null, data -> {
                    raw("attempt").ifPresent(attempts -> data.fieldRaw("total_attempts", attempts));
                    return errors.isEmpty() ? data : data.fieldRaw("last_error", errors.getLast());
                });
            default -> {}
        }
    }

    private void add(String type, String time, @Nullable String worker, UnaryOperator<JsonOut> more) {
        Instant at = Timestamps.parse(time).orElse(null);
        if (at == null) return;
        String id = text("id");
        JsonOut entry = JsonOut.object()
                .field("id", "%s.%d".formatted(id, found.size() + 1))
                .field("job_id", id)
                .field("event_type", type)
                .field("timestamp", at);
        if (worker != null)
            entry.beginObject("actor")
                    .field("type", "worker")
                    .field("id", worker)
                    .endObject();
        more.apply(entry.beginObject("data")).endObject().endObject();
        found.add(new Happening(at, entry.toBytes()));
    }

    private String state() {
        return text("state");
    }

    private String text(String name) {
        return MemberWalk.text(job, name).orElse("");
    }

    private Optional<byte[]> raw(String name) {
        MemberWalk members = new MemberWalk(job);
        while (members.next()) if (members.nameIs(name)) return Optional.of(members.raw());
        return Optional.empty();
    }

    private JsonOut copy(JsonOut out, String... names) {
        for (String name : names) raw(name).ifPresent(value -> out.fieldRaw(name, value));
        return out;
    }
}
