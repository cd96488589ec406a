package io.floodgate.gateway.job;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.time.Duration;

/**
 * How long a producer wants to wait for room in a queue that blocks (OJS backpressure §5.2): seconds, with or without a
 * fraction, and not at all if it says nothing.
 */
final class BlockTimeout {
    /** Longer than any of the official clients waits for an answer. */
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final HeaderName NAME = HeaderNames.create("OJS-Block-Timeout");
    private static final int MOST_CHARS = 32;
    private static final double LONGEST_S = LONGEST.toSeconds();

    private BlockTimeout() {}

    static Duration of(Call call) throws RefusedException {
        String text = call.header(NAME);
        if (text == null) return Duration.ZERO;
        try {
            double seconds = text.length() > MOST_CHARS ? -1 : Double.parseDouble(text.strip());
            if (seconds >= 0 && Double.isFinite(seconds))
                return Duration.ofMillis(Math.round(1_000 * Math.min(seconds, LONGEST_S)));
        } catch (NumberFormatException noNumber) {
            // refused below
        }
        throw new RefusedException(Refusal.of(
                        ErrorCode.INVALID_REQUEST,
                        "The header 'OJS-Block-Timeout' must be a number of seconds, 0 or more.")
                .with("field", "OJS-Block-Timeout"));
    }

    /** A caller that hangs up leaves nothing behind. */
    static Cancellation whenTheCallerLeaves() {
        Cancellation cancellation = new Cancellation();
        Peer peer = Peer.current();
        if (peer != null) {
            var unused = peer.watch().thenRun(cancellation::cancel);
        }
        return cancellation;
    }
}
