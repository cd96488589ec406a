package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Turns before a log go round those who send, not round whom they say they send for. */
public final class InventedTenants implements LoneAttack {
    @Override
    public String name() {
        return "invented-tenants";
    }

    @Override
    public String what() {
        return "5,500 connections that enqueue, each request for another tenant";
    }

    @Override
    public void run(Target target) throws Exception {
        byte[] job = RequestBodies.job(target.queue("flooded"), 10);
        AtomicLong tenants = new AtomicLong();
        List<RawConnection> open = new ArrayList<>();
        List<Thread> flooding = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(5_500, 300); i++) {
                RawConnection connection = RawConnection.open(target);
                open.add(connection);
                flooding.add(Thread.startVirtualThread(() -> flood(connection, job, tenants)));
            }
            AwaitCanary.rounds(target, target.scaled(60, 10));
        } finally {
            open.forEach(RawConnection::close);
            for (Thread each : flooding) each.join();
        }
        target.note("%,d tenants".formatted(tenants.get()));
    }

    private static void flood(RawConnection connection, byte[] job, AtomicLong tenants) {
        try {
            while (true)
                connection.exchange(
                        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-OJS-Tenant: t%d\r\nContent-Length: %d\r\n\r\n"
                                .formatted(RequestBodies.JOBS, tenants.incrementAndGet(), job.length),
                        job);
        } catch (IOException over) {
            // the attack has ended
        }
    }
}
