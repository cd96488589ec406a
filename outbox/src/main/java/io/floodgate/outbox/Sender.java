package io.floodgate.outbox;

import io.floodgate.client.DuplicateJob;
import io.floodgate.client.EnqueueFailed;
import io.floodgate.client.Job;
import io.floodgate.client.JobRejected;
import io.floodgate.client.Producer;
import io.floodgate.client.QueueFull;
import io.floodgate.outbox.Delivery.Held;
import io.floodgate.outbox.Delivery.Rejected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Sends rows of one queue in their order, and stops at the first one that cannot come in now. Batches are stored whole or
 * not at all: what does not come in together is halved, until a row alone gets an answer of its own.
 */
final class Sender {
    /** What an operator has to mend: the job may well be enqueued then. */
    private static final Set<String> NOT_THE_ROWS_FAULT =
            Set.of("QUEUE_NOT_FOUND", "PERMISSION_DENIED", "queue_draining");

    /** A job that makes a rule of the server fail. It fails alone, but may be what the server's next version can do. */
    private static final String INTERNAL_ERROR = "internal_error";

    private static final int MOST_INTERNAL_ERRORS = 5;

    /** In characters, unless a row is larger. */
    private static final long LARGEST_BATCH = 1024 * 1024;

    private final Producer producer;

    Sender(Producer producer) {
        this.producer = producer;
    }

    /** @param failures how often the first row was held before */
    Delivery send(String queue, List<OutboxRow> rows, int failures) throws InterruptedException {
        List<OutboxRow> enqueued = new ArrayList<>();
        List<Rejected> rejected = new ArrayList<>();
        int from = 0;
        int most = rows.size();
        while (from < rows.size()) {
            List<OutboxRow> part = rows.subList(from, end(rows, from, most));
            try {
                enqueue(part);
                enqueued.addAll(part);
                most *= 2;
            } catch (JobRejected no) {
                if (part.size() > 1) {
                    most = part.size() / 2;
                    continue;
                }
                if (isHeld(no, from == 0 ? failures : 0)) return held(queue, enqueued, rejected, no);
                rejected.add(new Rejected(part.getFirst(), no.code(), String.valueOf(no.getMessage())));
            } catch (EnqueueFailed unavailable) {
                return held(queue, enqueued, rejected, unavailable);
            }
            from += part.size();
        }
        return new Delivery(queue, enqueued, rejected, null);
    }

    private static int end(List<OutboxRow> rows, int from, int most) {
        int end = from + 1;
        long size = rows.get(from).size();
        while (end < rows.size() && end - from < most && size + rows.get(end).size() <= LARGEST_BATCH)
            size += rows.get(end++).size();
        return end;
    }

    /** A row that was sent before, and whose job is there, is enqueued: the producer compares the ids. */
    private void enqueue(List<OutboxRow> rows) throws InterruptedException {
        List<Job> jobs = rows.stream().map(row -> Job.parse(row.job())).toList();
        if (jobs.size() == 1) producer.enqueue(jobs.getFirst());
        else producer.enqueueAll(jobs);
    }

    private static boolean isHeld(JobRejected no, int failures) {
        if (no instanceof DuplicateJob) return false;
        if (no.code().equals(INTERNAL_ERROR)) return failures < MOST_INTERNAL_ERRORS;
        return no instanceof QueueFull || no.retryable() || NOT_THE_ROWS_FAULT.contains(no.code());
    }

    private static Delivery held(
            String queue, List<OutboxRow> enqueued, List<Rejected> rejected, EnqueueFailed failure) {
        return new Delivery(
                queue,
                enqueued,
                rejected,
                new Held(
                        failure.code(),
                        String.valueOf(failure.getMessage()),
                        failure.retryAfter().orElse(Duration.ZERO)));
    }
}
