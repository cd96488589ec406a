package io.floodgate.verification.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * ConnectionSender that stay open while other steps run. That one is rejected or cut off is as good as anything.
 *
 * @param again whether each talks again and again, in a thread of its own; else once
 */
record ConnectionSender(int full, int brief, Talk talk, boolean again, List<AttackStep> meanwhile)
        implements AttackStep {
    /** What is sent, and perhaps read, on one connection. */
    @FunctionalInterface
    interface Talk {
        void on(RawConnection connection, int number) throws IOException;
    }

    static AttackStep hold(int full, int brief, Talk talk, AttackStep... meanwhile) {
        return new ConnectionSender(full, brief, talk, false, List.of(meanwhile));
    }

    static AttackStep flood(int full, int brief, Talk talk, AttackStep... meanwhile) {
        return new ConnectionSender(full, brief, talk, true, List.of(meanwhile));
    }

    @Override
    public void run(Target target) throws Exception {
        List<RawConnection> open = new ArrayList<>();
        List<Thread> talking = new ArrayList<>();
        try {
            for (int i = 0; i < target.scaled(full, brief) && target.isAlive(); i++) {
                int number = i;
                try {
                    RawConnection connection = RawConnection.open(target);
                    open.add(connection);
                    if (again) talking.add(Thread.startVirtualThread(() -> talkUntilClosed(connection, number)));
                    else talk.on(connection, number);
                } catch (IOException rejected) {
                    // that is as good
                }
            }
            for (AttackStep each : meanwhile) each.run(target);
        } finally {
            open.forEach(RawConnection::close);
            for (Thread each : talking) each.join();
        }
        target.note("%,d connections".formatted(open.size()));
    }

    private void talkUntilClosed(RawConnection connection, int number) {
        try {
            while (true) talk.on(connection, number);
        } catch (IOException over) {
            // the attack has ended
        }
    }
}
