package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Exhausts a server that allocates memory for announced lengths. */
public final class AnnouncedLengths implements Attack {
    private static final int ANNOUNCED = 1_100_000;

    @Override
    public String name() {
        return "announced-lengths";
    }

    @Override
    public String what() {
        return "1,000 connections that announce a fetch of 1.1 MB and send one byte";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(2_000, 1_000) && target.isAlive(); i++) {
                try {
                    open.add(RawConnection.open(target)
                            .send(RawConnection.head(RequestBodies.FETCH, ANNOUNCED))
                            .send("{"));
                } catch (IOException rejected) {
                    // that is as good
                }
            }
            AwaitCanary.rounds(target, target.scaled(40, 6));
        } finally {
            open.forEach(RawConnection::close);
        }
        target.note("%,d connections".formatted(open.size()));
    }
}
