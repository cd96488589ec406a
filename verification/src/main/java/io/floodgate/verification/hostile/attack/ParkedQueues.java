package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Waiting costs memory, too. */
public final class ParkedQueues implements LoneAttack {
    private static final int QUEUES = 1_000;

    @Override
    public String name() {
        return "parked-queues";
    }

    @Override
    public String what() {
        return "8,000 connections, each waiting at 1,000 queues of its own";
    }

    @Override
    public int rejectedRounds() {
        return 50;
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(8_000, 500) && target.isAlive(); i++) {
                int number = i;
                byte[] body = RequestBodies.fetch(
                        IntStream.range(0, QUEUES)
                                .mapToObj(j -> "parked-%d-%d".formatted(number, j))
                                .toList(),
                        "parked-" + i,
                        1,
                        60_000);
                try {
                    open.add(RawConnection.open(target)
                            .send(RawConnection.head(RequestBodies.FETCH, body.length))
                            .send(body));
                } catch (IOException rejected) {
                    // that is as good
                }
            }
            AwaitCanary.rounds(target, target.scaled(40, 5));
        } finally {
            open.forEach(RawConnection::close);
        }
        target.note("%,d connections".formatted(open.size()));
    }
}
