package io.floodgate.processor.queue.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.RecentFetches;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Samples of a queue's jobs: those that run, those that wait, and how they have failed. */
public record FactsOfJobs(Jobs jobs, KeyValues stored, Effects out) {
    private static final int MAX_LEASES = 1_000;
    private static final int MAX_READY = 200;
    private static final int MAX_SCANNED = 500;
    private static final int MAX_DEAD = 200;
    private static final int MAX_ERRORS = 200;
    private static final int MAX_LARGEST = 3;
    private static final int MAX_ERROR_TYPES = 5;
    private static final int MESSAGE_CHARS = 200;

    /** Age from which dead letters do not show any more how runs fail now. */
    private static final Duration RECENT = Duration.ofHours(1);

    void write(Queue queue, JsonOut json) {
        if (queue.counts.of(JobState.ACTIVE) > 0) running(queue, json);
        if (queue.counts.of(JobState.AVAILABLE) > 0) ready(queue, json);
        if (queue.ready().behind() > 0) keys(queue, json);
        long later = queue.counts.of(JobState.RETRYABLE)
                + queue.counts.of(JobState.SCHEDULED)
                + queue.counts.of(JobState.PENDING);
        List<JobRecord> failed = new ArrayList<>();
        if (later > 0) later(queue, failed, json);
        if (queue.counts.deadLetters() > 0) dead(queue, failed);
        errors(failed, json);
    }

    private @Nullable JobRecord read(JobId id) {
        byte[] value = stored.get(Keys.live(id));
        return value == null ? null : Jobs.readable(id, value);
    }

    // ---- those that run

    private record Runs(long active, Instant oldest) {
        Runs and(Runs other) {
            return new Runs(active + other.active, oldest.isBefore(other.oldest) ? oldest : other.oldest);
        }
    }

    private void running(Queue queue, JsonOut json) {
        List<JobId> leased = jobs.leases().some(MAX_LEASES);
        List<JobRecord> running = new ArrayList<>();
        Map<String, Runs> byWorker = new TreeMap<>();
        for (JobId id : leased) {
            JobRecord job = read(id);
            if (job == null || job.lease == null || !job.queue.equals(queue.name)) continue;
            running.add(job);
            String worker = job.lease.worker();
            if (worker != null) byWorker.merge(worker, new Runs(1, since(job)), Runs::and);
        }
        json.beginObject("runs").field("sampled", running.size());
        json.field("is_sample", leased.size() == MAX_LEASES).field("workers", byWorker.size());
        json.beginArray("by_worker");
        byWorker.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().active))
                .limit(QueueFacts.MAX_SHOWN)
                .forEach(each -> json.beginObject()
                        .field("worker_id", each.getKey())
                        .field("active", each.getValue().active)
                        .field("oldest_started_at", each.getValue().oldest)
                        .endObject());
        json.endArray().beginArray("longest");
        running.stream()
                .sorted(Comparator.comparing(FactsOfJobs::since))
                .limit(QueueFacts.MAX_SHOWN)
                .forEach(job -> run(job, json));
        json.endArray().endObject();
    }

    private static Instant since(JobRecord job) {
        return job.startedAt == null ? job.enqueuedAt : job.startedAt;
    }

    private static void run(JobRecord job, JsonOut json) {
        json.beginObject().field("job_id", job.id.toString()).field("type", job.type);
        if (job.lease != null)
            json.optional("worker_id", job.lease.worker()).field("lease_expires_at", job.lease.until());
        json.field("started_at", since(job))
                .field("timeout_at", job.mustEndAt())
                .endObject();
    }

    // ---- those that wait for a worker

    private record Waiting(long jobs, Instant oldest, JobId example) {
        Waiting and(Waiting more) {
            return new Waiting(jobs + more.jobs, oldest.isBefore(more.oldest) ? oldest : more.oldest, example);
        }
    }

    /** Jobs that no worker takes for the same reason. */
    private record Kind(String type, String version) implements Comparable<Kind> {
        @Override
        public int compareTo(Kind other) {
            int order = type.compareTo(other.type);
            return order != 0 ? order : version.compareTo(other.version);
        }
    }

    private void ready(Queue queue, JsonOut json) {
        List<JobRecord> first = new ArrayList<>();
        for (JobId id : queue.ready().first(MAX_READY)) {
            JobRecord job = read(id);
            if (job != null) first.add(job);
        }
        RecentFetches fetches = queue.fetches;
        Map<Kind, Waiting> ofTypes = new TreeMap<>();
        Map<Kind, Waiting> ofVersions = new TreeMap<>();
        if (fetches != null && fetches.isRecent(out.now()))
            for (JobRecord job : first) {
                if (fetches.wants(job.type, job.version, out.now())) continue;
                Waiting one = new Waiting(1, job.enqueuedAt, job.id);
                if (fetches.wants(job.type, out.now()))
                    ofVersions.merge(new Kind(job.type, String.valueOf(job.version)), one, Waiting::and);
                else ofTypes.merge(new Kind(job.type, ""), one, Waiting::and);
            }
        json.beginObject("ready").field("sampled", first.size());
        unwanted("types_not_fetched", ofTypes, json);
        unwanted("versions_not_accepted", ofVersions, json);
        if (queue.config().sizeBound() > 0) largest(first, json);
        json.endObject();
    }

    private static void unwanted(String name, Map<Kind, Waiting> some, JsonOut json) {
        json.beginArray(name);
        some.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().jobs))
                .limit(QueueFacts.MAX_SHOWN)
                .forEach(each -> {
                    json.beginObject().field("type", each.getKey().type);
                    if (!each.getKey().version.isEmpty()) json.field("version", each.getKey().version);
                    json.field("jobs", each.getValue().jobs)
                            .field("oldest_available_at", each.getValue().oldest)
                            .field("job_id", each.getValue().example.toString())
                            .endObject();
                });
        json.endArray();
    }

    private static void largest(List<JobRecord> some, JsonOut json) {
        json.beginArray("largest");
        some.stream()
                .sorted(Comparator.comparingInt(job -> -job.sizeBytes))
                .limit(MAX_LARGEST)
                .forEach(job -> json.beginObject()
                        .field("job_id", job.id.toString())
                        .field("type", job.type)
                        .field("size_bytes", job.sizeBytes)
                        .endObject());
        json.endArray();
    }

    // ---- those that wait for another one of their order key

    private record LongLine(JobRecord example, JobId holder, int jobs) {}

    private void keys(Queue queue, JsonOut json) {
        List<JobId> first = queue.ready().firstBehind(MAX_READY);
        Map<Long, LongLine> lines = new TreeMap<>();
        for (JobId id : first) {
            JobRecord job = read(id);
            JobId holder = job == null ? null : jobs.keyTurns().holder(job);
            if (job == null || job.order == null || holder == null) continue;
            lines.computeIfAbsent(
                    job.order.line(),
                    line -> new LongLine(job, holder, jobs.keyTurns().lineOf(job)));
        }
        json.beginObject("keys").field("sampled", first.size()).beginArray("longest");
        lines.values().stream()
                .sorted(Comparator.comparingInt(line -> -line.jobs))
                .limit(QueueFacts.MAX_SHOWN)
                .forEach(line -> json.beginObject()
                        .field(
                                OrderKey.NAME,
                                Objects.requireNonNull(line.example.order).key())
                        .field("jobs", line.jobs)
                        .field("holder", line.holder.toString())
                        .field("oldest_available_at", line.example.enqueuedAt)
                        .endObject());
        json.endArray().endObject();
    }

    // ---- those that wait for a time, or for an activation

    private void later(Queue queue, List<JobRecord> failed, JsonOut json) {
        int[] scanned = {0};
        int[] found = {0};
        @Nullable Instant[] nextDue = {null};
        @Nullable Instant[] oldestPending = {null};
        byte[] prefix = Keys.allLive();
        stored.scan(prefix, Keys.after(prefix), (key, value) -> {
            JobId id = Keys.jobAtEnd(key);
            JobRecord job = Jobs.readable(id, value);
            if (job != null && job.queue.equals(queue.name) && !job.reserved) {
                Instant due = due(job);
                if (due != null || job.state == JobState.PENDING) found[0]++;
                nextDue[0] = JobRecord.earlier(nextDue[0], due);
                if (job.state == JobState.PENDING)
                    oldestPending[0] = JobRecord.earlier(oldestPending[0], job.enqueuedAt);
                if (job.state == JobState.RETRYABLE && failed.size() < MAX_ERRORS) failed.add(job);
            }
            return ++scanned[0] < MAX_SCANNED;
        });
        json.beginObject("later")
                .field("sampled", found[0])
                .field("is_sample", scanned[0] == MAX_SCANNED)
                .optional("next_due_at", nextDue[0])
                .optional("oldest_pending_at", oldestPending[0])
                .endObject();
    }

    private static @Nullable Instant due(JobRecord job) {
        return switch (job.state) {
            case SCHEDULED -> job.scheduledAt;
            case RETRYABLE -> job.nextAttemptAt;
            default -> null;
        };
    }

    // ---- how they have failed

    private void dead(Queue queue, List<JobRecord> failed) {
        byte[] name = queue.name.getBytes(UTF_8);
        int[] scanned = {0};
        byte[] prefix = Keys.allDead();
        List<JobId> dead = new ArrayList<>();
        stored.scanBack(prefix, Keys.after(prefix), (key, value) -> {
            if (Arrays.equals(value, name)) dead.add(Keys.jobAtEnd(key));
            return ++scanned[0] < MAX_DEAD;
        });
        for (JobId id : dead) {
            if (failed.size() >= MAX_ERRORS) return;
            byte[] value = stored.get(Keys.terminal(id));
            JobRecord job = value == null ? read(id) : Jobs.readable(id, value);
            Instant since = job == null ? null : job.deadSince();
            if (job != null && since != null && since.plus(RECENT).isAfter(out.now())) failed.add(job);
        }
    }

    private record Failures(long count, String message, JobId example, String jobType) {
        Failures and(Failures more) {
            return new Failures(count + more.count, message, example, jobType);
        }
    }

    private void errors(List<JobRecord> failed, JsonOut json) {
        Map<String, Failures> byType = new TreeMap<>();
        int sampled = 0;
        for (JobRecord job : failed) {
            byte[] error = jobs.payloads().lastError(job);
            if (error == null) continue;
            sampled++;
            String type = MemberWalk.text(error, "type").orElse("unknown");
            String message = MemberWalk.text(error, "message").orElse("");
            byType.merge(type, new Failures(1, Limits.cut(message, MESSAGE_CHARS), job.id, job.type), Failures::and);
        }
        if (sampled == 0) return;
        json.beginObject("errors").field("sampled", sampled).beginArray("first");
        byType.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().count))
                .limit(MAX_ERROR_TYPES)
                .forEach(each -> json.beginObject()
                        .field("type", each.getKey())
                        .field("count", each.getValue().count)
                        .field("message", each.getValue().message)
                        .field("job_id", each.getValue().example.toString())
                        .field("job_type", each.getValue().jobType)
                        .endObject());
        json.endArray().endObject();
    }
}
