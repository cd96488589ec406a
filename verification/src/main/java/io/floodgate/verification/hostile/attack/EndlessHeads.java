package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests without a key yet must not take what others need. */
public final class EndlessHeads implements Attack {
    private static final int PIECE = 4_000;
    private static final int PIECES = 8;

    @Override
    public String name() {
        return "endless-heads";
    }

    @Override
    public String what() {
        return "9,000 connections whose first line, or headers, are 32 KB long and never end";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(9_000, 600) && target.isAlive(); i++) {
                String begin = i % 2 == 0 ? "A" : "GET /ready HTTP/1.1\r\nHost: localhost\r\nX: ";
                try {
                    RawConnection stranger = RawConnection.open(target).send(begin);
                    open.add(stranger);
                    for (int piece = 0; piece < PIECES; piece++) stranger.send("A".repeat(PIECE));
                } catch (IOException cutOff) {
                    // that is as good
                }
            }
            AwaitCanary.rounds(target, target.scaled(30, 5));
        } finally {
            open.forEach(RawConnection::close);
        }
        target.note("%,d connections".formatted(open.size()));
    }
}
