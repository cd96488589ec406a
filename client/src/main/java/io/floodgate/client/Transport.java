package io.floodgate.client;

import java.util.concurrent.CompletableFuture;

/** The way to the server. Safe for any number of threads. */
interface Transport extends AutoCloseable {
    /** Returns at once. What goes wrong is an answer, too, or else the failure of the future. */
    CompletableFuture<SendResult> send(PendingCommand pendingCommand);

    @Override
    void close();
}
