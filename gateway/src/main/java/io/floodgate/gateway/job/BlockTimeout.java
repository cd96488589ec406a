package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.time.Duration;
import java.util.Optional;

/**
 * The time for which a producer waits for capacity in a queue that blocks (OJS backpressure §5.2): seconds, with or
 * without a fraction, and zero by default.
 */
public final class BlockTimeout {
    private static final HeaderName NAME = HeaderNames.create("OJS-Block-Timeout");

    private BlockTimeout() {}

    public static Duration of(Call call) throws RejectedException {
        String text = call.header(NAME);
        if (text == null) return Duration.ZERO;
        Optional<Duration> time = BlockSeconds.parse(text);
        if (time.isPresent()) return time.get();
        throw new RejectedException(
                Rejection.of(ErrorCode.INVALID_REQUEST, BlockSeconds.problem(NAME.defaultCase(), text))
                        .with("field", NAME.defaultCase()));
    }
}
