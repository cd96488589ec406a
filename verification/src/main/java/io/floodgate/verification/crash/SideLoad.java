package io.floodgate.verification.crash;

import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.process.Installation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** What works with an installation beside its ordinary load, and has a judge of its own. */
public interface SideLoad extends AutoCloseable {
    /** How it begins, before anything is struck. */
    interface Beginning {
        Beginning NONE = (installation, seed) -> Optional.empty();

        Optional<SideLoad> begin(Installation installation, long seed) throws InterruptedException, TimeoutException;
    }

    /** Returns when all that it has begun has ended. */
    void stop() throws InterruptedException, TimeoutException;

    /** Whether all jobs of a queue are its own. */
    boolean owns(String queue);

    /**
     * What must hold, by what it has seen and by the events.
     *
     * @param mostLate how late it may be what is due while a partition is not served
     */
    List<Claim> claims(EventTopic events, Duration mostLate);

    @Override
    void close() throws InterruptedException;
}
