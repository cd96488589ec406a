package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** One caller that waits at, and asks for, as many queues as it can name. */
public final class WideFetches implements LoneAttack {
    private static final int QUEUES = 1_000;
    private static final int WAITING = 150;
    private static final int JOBS = 20;

    @Override
    public String name() {
        return "wide-fetches";
    }

    @Override
    public String what() {
        return "150 fetches that wait at 1,000 queues of one partition, and 100 that ask at 1,000 again and again";
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        List<Thread> asking = new ArrayList<>();
        try {
            byte[] parked = body(target.partition(), target, 60_000);
            for (int i = 0; i < WAITING; i++)
                open.add(RawConnection.open(target)
                        .send(RawConnection.head(RequestBodies.FETCH, parked.length))
                        .send(parked));
            target.endPhase("waiting");
            byte[] asked = RequestBodies.fetch(names("asked"), "asker", 1, 0);
            for (int i = 0; i < target.scaled(100, 20); i++) {
                RawConnection connection = RawConnection.open(target);
                open.add(connection);
                asking.add(Thread.startVirtualThread(() -> ask(connection, asked)));
            }
            victim(target);
            AwaitCanary.rounds(target, target.scaled(30, 5));
            target.endPhase("asking");
            exist(target);
            AwaitCanary.rounds(target, target.scaled(30, 5));
            target.endPhase("asking queues that exist");
        } finally {
            open.forEach(RawConnection::close);
            for (Thread each : asking) each.join();
        }
    }

    /** Each with one job, which is soon handed out; the queue stays. */
    private static void exist(Target target) {
        try (Caller caller = target.caller()) {
            caller.post(
                    RequestBodies.BATCH,
                    RequestBodies.batch(names("asked").stream()
                            .map(queue -> RequestBodies.job(queue, 10))
                            .toList()));
        }
    }

    private static void ask(RawConnection connection, byte[] body) {
        try {
            while (true) connection.exchange(RawConnection.head(RequestBodies.FETCH, body.length), body);
        } catch (IOException over) {
            // the attack has ended
        }
    }

    /** Its worker would wait, and its jobs are there. */
    private static void victim(Target target) {
        String queue = target.queue("victim");
        try (Caller caller = target.caller()) {
            int handedOut = 0;
            for (int i = 0; i < JOBS; i++) {
                Heard job = caller.post(RequestBodies.JOBS, RequestBodies.job(queue, 10));
                if (job.isOk()) target.answered(job.body().at("/job/id").stringValue());
                Heard fetched =
                        caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "victim", 1, 5_000));
                if (fetched.isOk()) handedOut += fetched.body().at("/jobs").size();
            }
            target.complainUnless(
                    handedOut >= JOBS - 1, "a worker that waits got %d of %d jobs".formatted(handedOut, JOBS));
        }
    }

    private static byte[] body(int partition, Target target, long wait) {
        return RequestBodies.fetch(
                IntStream.iterate(0, i -> i + 1)
                        .mapToObj("parked-%d"::formatted)
                        .filter(name -> target.partitionOf(name) == partition)
                        .limit(QUEUES)
                        .toList(),
                "parked",
                1,
                wait);
    }

    private static List<String> names(String prefix) {
        return IntStream.range(0, QUEUES).mapToObj(i -> prefix + "-" + i).toList();
    }
}
