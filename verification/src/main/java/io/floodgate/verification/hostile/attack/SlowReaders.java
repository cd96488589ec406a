package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answers that clients do not read take memory. */
public final class SlowReaders implements Attack {
    private static final int BYTES = 900_000;

    @Override
    public String name() {
        return "slow-readers";
    }

    @Override
    public String what() {
        return "2,000 connections that ask for a job of 900 KB and never read it";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try (Caller caller = target.caller()) {
            Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(target.queue("slow"), BYTES));
            if (!heard.isOk()) throw new IOException("a job of 900 KB was answered " + heard.shown());
            String id = heard.body().at("/job/id").stringValue();
            target.answered(id);
            for (int i = 0; i < target.scaled(2_000, 200) && target.isAlive(); i++) {
                try {
                    open.add(RawConnection.open(target)
                            .send("GET /ojs/v1/jobs/%s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(id)));
                } catch (IOException rejected) {
                    // that is as good
                }
            }
            AwaitCanary.rounds(target, target.scaled(40, 5));
        } finally {
            open.forEach(RawConnection::close);
        }
    }
}
