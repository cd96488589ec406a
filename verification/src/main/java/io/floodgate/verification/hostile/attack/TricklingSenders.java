package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A few slow senders must not slow down all others. */
public final class TricklingSenders implements Attack {
    private static final int CONNECTIONS = 16;
    private static final int ANNOUNCED = 25_000_000;

    @Override
    public String name() {
        return "trickling-senders";
    }

    @Override
    public String what() {
        return "16 connections that announce 25 MB and send a byte a second, while others enqueue 100 KB";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try (Caller caller = target.caller()) {
            for (int i = 0; i < CONNECTIONS; i++)
                open.add(RawConnection.open(target).send(RawConnection.head(RequestBodies.BATCH, ANNOUNCED)));
            int rejected = 0;
            int seconds = target.scaled(30, 5);
            for (int second = 0; second < seconds; second++) {
                for (RawConnection each : open) trickle(each);
                Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(target.queue("medium"), 100_000));
                if (heard.isOk()) target.answered(heard.body().at("/job/id").stringValue());
                else rejected++;
                Pause.of(Duration.ofSeconds(1));
            }
            target.complainUnless(
                    rejected == 0, "%d of %d enqueues of 100 KB were rejected".formatted(rejected, seconds));
        } finally {
            open.forEach(RawConnection::close);
        }
    }

    private static void trickle(RawConnection connection) {
        try {
            connection.send(" ");
        } catch (IOException cutOff) {
            // as it should be, sooner or later
        }
    }
}
