package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpCrowd;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.load.Crowd;
import java.io.IOException;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/** Very many producers on one thread, each with a connection of its own, who send job after job. */
final class Posting implements Crowd {
    /** Says how many units an answer got done; throws if it is an error of the run. */
    @FunctionalInterface
    interface Judge {
        int units(HttpResponse answer, long due) throws IOException;
    }

    private final HttpCrowd connections;
    private final long[] due;
    private final LongFunction<byte[]> jobs;
    private final Judge judge;

    /**
     * @param headers of each producer
     * @param jobs the next job, which is due at this nanosecond
     */
    Posting(
            HttpTarget target,
            int producers,
            IntFunction<Map<String, String>> headers,
            LongFunction<byte[]> jobs,
            Judge judge)
            throws IOException {
        connections = new HttpCrowd(target);
        due = new long[producers];
        this.jobs = jobs;
        this.judge = judge;
        for (int producer = 0; producer < producers; producer++) connections.add(headers.apply(producer));
    }

    static IOException unexpected(HttpResponse answer) {
        return new IOException("an enqueue was answered with %d, Retry-After %d: %s"
                .formatted(answer.status(), answer.retryAfter(), answer.text()));
    }

    @Override
    public void begin(int caller, long at) throws IOException {
        due[caller] = at;
        connections.send(caller, "POST", EnqueueRun.PATH, jobs.apply(at));
    }

    @Override
    public void await(long millis, Listener listener) throws IOException {
        connections.receive(millis, (caller, answer, failure) -> {
            if (answer == null) {
                listener.ended(caller, 0, failure);
                return;
            }
            int units;
            try {
                units = judge.units(answer, due[caller]);
            } catch (IOException wrong) {
                listener.ended(caller, 0, wrong);
                return;
            }
            listener.ended(caller, units, null);
        });
    }

    @Override
    public void close() {
        connections.close();
    }
}
