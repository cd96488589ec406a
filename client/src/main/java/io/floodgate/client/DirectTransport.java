package io.floodgate.client;

import io.floodgate.client.ProducerListener.Result;
import io.floodgate.topics.codec.CodecChain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Executes commands in the thread of the caller. There is no send buffer: a command may enqueue further jobs. */
record DirectTransport(DirectServer server, CodecChain codecs) implements Transport {
    @Override
    public CompletableFuture<SendResult> send(PendingCommand pendingCommand) {
        return CompletableFuture.completedFuture(KafkaTransport.answer(
                server.execute(KafkaTransport.command(pendingCommand, Duration.ZERO), codecs),
                pendingCommand.jobs().size()));
    }

    void take(PendingSend entry, ProducerListener listener) {
        SendResult answer;
        try {
            answer = send(new PendingCommand(entry.jobs)).join();
        } catch (Throwable failure) {
            entry.ended.completeExceptionally(failure);
            throw failure;
        }
        Result result = answer.to(List.of(entry));
        listener.answered(entry.first().queue(), entry.jobs.size(), result, Duration.ZERO);
        if (result == Result.STORED || result == Result.WAS_THERE) {
            entry.ended.complete(new PendingSend.Taken(result == Result.WAS_THERE, Optional.empty()));
            return;
        }
        EnqueueFailed failure = SendFailures.of(answer, false, entry.jobId());
        if (entry.isKept()) listener.rejected(Job.parse(entry.first().text()), failure);
        entry.ended.completeExceptionally(failure);
    }

    @Override
    public void close() {}
}
