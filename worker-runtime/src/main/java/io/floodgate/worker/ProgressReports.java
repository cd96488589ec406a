package io.floodgate.worker;

import io.floodgate.topics.command.ProgressReport;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Progress reports of a handler, which never waits for them: one is under way at a time, and later ones go together
 * with the next. One that fails is not sent again; no run depends on it.
 */
final class ProgressReports {
    private final Function<ProgressReport, ? extends CompletableFuture<?>> channel;
    private boolean isUnderWay;
    private boolean isClosed;
    private @Nullable ProgressReport next;

    /** @param channel sends a report; what it answers ends when another one may be sent */
    ProgressReports(Function<ProgressReport, ? extends CompletableFuture<?>> channel) {
        this.channel = channel;
    }

    void say(ProgressReport report) {
        synchronized (this) {
            if (isClosed) return;
            next = next == null ? report : report.after(next);
            if (isUnderWay) return;
            isUnderWay = true;
        }
        sendNext();
    }

    /** Sends no more. */
    synchronized void close() {
        isClosed = true;
        next = null;
    }

    private void sendNext() {
        ProgressReport report;
        synchronized (this) {
            report = next;
            next = null;
            isUnderWay = report != null;
        }
        if (report == null) return;
        var unused = sent(report).whenComplete((reply, failure) -> sendNext());
    }

    private CompletableFuture<?> sent(ProgressReport report) {
        try {
            return channel.apply(report);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
