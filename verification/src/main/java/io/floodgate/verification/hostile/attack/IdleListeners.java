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

/** Listeners that do not listen. */
public final class IdleListeners implements Attack {
    @Override
    public String name() {
        return "event-streams";
    }

    @Override
    public String what() {
        return "2,000 event streams that never read, while jobs come in";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try (Caller caller = target.caller()) {
            for (int i = 0; i < 2_000 && target.isAlive(); i++) {
                try {
                    open.add(
                            RawConnection.open(target)
                                    .send(
                                            "GET /ojs/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"));
                } catch (IOException rejected) {
                    // that is as good
                }
            }
            long end = System.nanoTime() + target.scaled(90, 8) * 1_000_000_000L;
            int jobs = 0;
            for (; System.nanoTime() < end && target.isAlive(); jobs++) {
                Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(target.queue("streamed"), 1_000));
                if (heard.isOk()) target.answered(heard.body().at("/job/id").stringValue());
            }
            target.note("%d jobs/s meanwhile".formatted(jobs / target.scaled(90, 8)));
        } finally {
            open.forEach(RawConnection::close);
        }
    }
}
