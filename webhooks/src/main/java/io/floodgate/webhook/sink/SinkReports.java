package io.floodgate.webhook.sink;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SinkCommand.ReportSink;
import io.floodgate.topics.command.SinkCommand.Sink;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says to the registry how the writing of a sink goes: when that changes, and now and then while it fails. */
final class SinkReports {
    private static final Logger LOG = LoggerFactory.getLogger(SinkReports.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AGAIN = SinkCommand.FAILS_FOR.dividedBy(3);
    private static final Duration BETWEEN_SKIPS = Duration.ofSeconds(1);

    private final CommandClient client;
    private final Sink sink;
    private final String by;
    private volatile boolean isKnownToFail;
    private @Nullable String error;
    private long skipped;
    private @Nullable String lastSkip;
    private long sentAt = System.nanoTime() - AGAIN.toNanos();

    /** @param by this process */
    SinkReports(CommandClient client, Sink sink, String by) {
        this.client = client;
        this.sink = sink;
        this.by = by;
    }

    /** Whether the registry takes it for one that fails: perhaps since another process has said so, and has ended. */
    void known(boolean fails) {
        isKnownToFail = fails;
    }

    void skipped(String why) {
        LOG.warn("Sink {} leaves out an outcome: {}", sink.name(), why);
        skipped++;
        lastSkip = Limits.cut(why, SinkCommand.MOST_ERROR_CHARS);
    }

    void failed(String why) {
        String now = Limits.cut(why, SinkCommand.MOST_ERROR_CHARS);
        if (now.equals(error) && isWithin(AGAIN)) return;
        LOG.warn("Sink {} does not write ({}); trying again.", sink.name(), now);
        error = now;
        send();
    }

    /** All that there was is written. */
    void goesWell() {
        boolean isMended = error != null || (isKnownToFail && !isWithin(AGAIN));
        boolean hasSkipped = skipped > 0 && !isWithin(BETWEEN_SKIPS);
        if (!isMended && !hasSkipped) return;
        error = null;
        send();
    }

    private boolean isWithin(Duration time) {
        return System.nanoTime() - sentAt < time.toNanos();
    }

    private void send() {
        sentAt = System.nanoTime();
        try {
            client.call(
                    client.routing().ofSinks(),
                    SinkCommand.KEY,
                    new ReportSink(sink.name(), sink.id(), by, skipped, lastSkip, error),
                    PATIENCE);
            skipped = 0;
            lastSkip = null;
        } catch (CommandFailed unreported) {
            LOG.warn("Sink {}: the registry does not know how it goes ({}).", sink.name(), unreported.toString());
        }
    }
}
