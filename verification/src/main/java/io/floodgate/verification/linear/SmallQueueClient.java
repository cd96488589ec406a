package io.floodgate.verification.linear;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.fetchFor;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Span;
import io.floodgate.verification.linear.QueueOperation.Kind;
import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Enqueues, fetches and acks one job after the other. What got no answer is sent again until it is known, but for fetches. */
final class SmallQueueClient implements AutoCloseable {
    /** Longer than any run: no lease ends by itself. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final int PAUSE_MILLIS = 40;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
    /** For this time more is put in than taken out, and then the other way round. */
    private static final long TIDE_NANOS = 1_500_000_000L;

    private static final int TOO_MANY = 429;

    private final Caller caller;
    private final SmallQueue queue;
    private final Random random;

    SmallQueueClient(Caller caller, SmallQueue queue, Random random) {
        this.caller = caller;
        this.queue = queue;
        this.random = random;
    }

    void once() {
        boolean fills = System.nanoTime() / TIDE_NANOS % 2 == 0;
        if (random.nextInt(10) < (fills ? 7 : 3)) enqueue();
        else fetch();
        Pause.of(Duration.ofMillis(random.nextInt(PAUSE_MILLIS)));
    }

    private void enqueue() {
        SmallQueue.Named job = queue.add(System.currentTimeMillis(), random.nextLong());
        byte[] body = json(
                "{'type':'linear','id':'%s','args':[%d],'options':{'queue':'%s'}}",
                job.id(), job.number(), queue.name());
        untilKnown(Kind.ENQUEUED, job.number(), () -> caller.post(JOBS, body));
    }

    /** Returns whether there was none. */
    boolean fetch() {
        String worker = "linear-" + random.nextInt(Integer.MAX_VALUE);
        Heard heard = caller.post(FETCH, fetchFor(LEASE.toMillis(), queue.name(), worker, 1));
        if (heard.answer() == Answer.UNKNOWN)
            queue.record(QueueOperation.lostFetch(heard.span().begun()));
        if (!heard.isOk()) {
            Pause.of(BETWEEN_TRIES);
            return false;
        }
        JsonNode jobs = heard.body().required("jobs");
        if (jobs.isEmpty()) {
            queue.record(Kind.EMPTY, 0, heard.span());
            return true;
        }
        JsonNode job = jobs.get(0);
        int number = job.required("args").required(0).asInt();
        queue.record(Kind.FETCHED, number, heard.span());
        Pause.of(Duration.ofMillis(random.nextInt(PAUSE_MILLIS)));
        byte[] ack = RequestBodies.ack(
                job.required("id").stringValue(), job.required("lease").longValue());
        untilKnown(Kind.ACKED, number, () -> caller.post(ACK, ack));
        return false;
    }

    /** A conflict says that an earlier request, which was not answered, has been executed. */
    private void untilKnown(Kind wanted, int job, Supplier<Heard> request) {
        boolean isUnknown = false;
        long begun = 0;
        do {
            Heard heard = request.get();
            if (!isUnknown) begun = heard.span().begun();
            Span span = new Span(begun, heard.span().ended());
            boolean isConflict =
                    heard.answer() == Answer.REJECTED && heard.status() / 100 == 4 && heard.status() != TOO_MANY;
            if (heard.isOk() || (isConflict && isUnknown)) {
                queue.record(wanted, job, span);
                return;
            }
            if (isConflict && wanted == Kind.ACKED) {
                queue.record(Kind.ABSENT, job, span);
                return;
            }
            if (isFull(heard)) queue.recordFull(heard.span());
            isUnknown |= heard.answer() == Answer.UNKNOWN;
            if (wanted == Kind.ENQUEUED && !isUnknown) return;
            Pause.of(BETWEEN_TRIES);
        } while (queue.isAsking());
        if (isUnknown) queue.leaveOpen(new QueueOperation(wanted, job, begun, Long.MAX_VALUE));
    }

    private static boolean isFull(Heard heard) {
        return heard.status() == TOO_MANY
                && heard.body().at("/error/code").asString("").equals("QUEUE_FULL");
    }

    @Override
    public void close() {
        caller.close();
    }
}
