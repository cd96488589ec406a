package io.floodgate.topics.client;

import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** A client whose logs answer by script: each command that is expected, in order, and what comes back. */
final class ScriptedLogs implements CommandClient {
    record Sent(LogId log, String key, Command command, Duration patience, Consumer<Reply> late) {}

    private final Routing routing = new Routing(64);
    private final Queue<Function<Sent, CompletableFuture<Reply>>> script = new ArrayDeque<>();
    final List<Sent> sent = new ArrayList<>();

    ScriptedLogs answers(String body) {
        return answersWith(s -> CompletableFuture.completedFuture(done(body)));
    }

    ScriptedLogs refuses(Refusal refusal) {
        return answersWith(s -> CompletableFuture.completedFuture(new Reply.Refused(refusal)));
    }

    ScriptedLogs fails() {
        return answersWith(s -> CompletableFuture.failedFuture(new NoReply("nobody there")));
    }

    ScriptedLogs staysSilent() {
        return answersWith(s -> new CompletableFuture<>());
    }

    ScriptedLogs answersWith(Function<Sent, CompletableFuture<Reply>> answer) {
        script.add(answer);
        return this;
    }

    static Reply.Done done(String body) {
        return new Reply.Done(body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Routing routing() {
        return routing;
    }

    @Override
    public CompletableFuture<Reply> send(
            LogId log, String key, Command command, Duration patience, Consumer<Reply> late) {
        Sent message = new Sent(log, key, command, patience, late);
        sent.add(message);
        Function<Sent, CompletableFuture<Reply>> answer = script.poll();
        if (answer == null) throw new AssertionError("nobody expected " + message);
        return answer.apply(message);
    }

    List<Command> commands() {
        return sent.stream().map(Sent::command).toList();
    }

    List<LogId> logs() {
        return sent.stream().map(Sent::log).toList();
    }

    boolean isOver() {
        return script.isEmpty();
    }

    @Override
    public void close() {}
}
