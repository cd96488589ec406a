package io.floodgate.verification.hostile.attack;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Looking for what is not there takes a log longer than anything else. */
public final class Searches implements LoneAttack {
    private static final int BATCH = 1_000;

    @Override
    public String name() {
        return "searches";
    }

    @Override
    public String what() {
        return "200 connections that search 100,000 jobs for a type that there is not";
    }

    @Override
    public void run(Target target) throws Exception {
        fill(target);
        List<RawConnection> open = new ArrayList<>();
        List<Thread> searching = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(200, 50); i++) {
                RawConnection connection = RawConnection.open(target);
                open.add(connection);
                searching.add(Thread.startVirtualThread(() -> search(connection)));
            }
            AwaitCanary.rounds(target, target.scaled(60, 10));
        } finally {
            open.forEach(RawConnection::close);
            for (Thread each : searching) each.join();
        }
    }

    private static void fill(Target target) {
        try (Caller caller = target.caller()) {
            for (int i = 0; i < target.scaled(100, 5); i++) {
                String queue = target.queueIn(i, "searched");
                List<byte[]> jobs = IntStream.range(0, BATCH)
                        .mapToObj(j -> SmallJob.of("a.b", queue).arg(j).toBytes())
                        .toList();
                target.complainUnless(
                        caller.post(RequestBodies.BATCH, RequestBodies.batch(jobs))
                                .isOk(),
                        "a batch was not stored");
            }
        }
    }

    private static void search(RawConnection connection) {
        try {
            while (true) connection.exchange(RawConnection.get("/ojs/v1/jobs?type=none.such"), new byte[0]);
        } catch (IOException over) {
            // the attack has ended
        }
    }
}
