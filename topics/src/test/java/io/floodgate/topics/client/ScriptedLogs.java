package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A client whose logs answer by script: each command that is expected, in order, and what comes back. */
final class ScriptedLogs implements CommandClient {
    record Sent(PartitionId log, String key, Command command, Duration patience) {}

    private static final Routing ROUTING = new Routing(64);

    private final Queue<Function<Sent, CompletableFuture<Reply>>> script = new ArrayDeque<>();
    final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
    final BlockingQueue<Sent> withdrawn = new LinkedBlockingQueue<>();
    final Set<PartitionId> silent = new HashSet<>();

    ScriptedLogs answers(String body) {
        return answersWith(s -> CompletableFuture.completedFuture(done(body)));
    }

    ScriptedLogs answersAfter(Duration wait, String body) {
        return answersWith(s -> CompletableFuture.supplyAsync(
                () -> done(body), CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS)));
    }

    ScriptedLogs rejects(Rejection rejection) {
        return answersWith(s -> CompletableFuture.completedFuture(new Reply.Rejected(rejection)));
    }

    ScriptedLogs fails() {
        return answersWith(s -> CompletableFuture.failedFuture(new NoReply("no answer")));
    }

    ScriptedLogs staysSilent() {
        return answersWith(s -> new CompletableFuture<>());
    }

    ScriptedLogs answersWith(Function<Sent, CompletableFuture<Reply>> answer) {
        script.add(answer);
        return this;
    }

    /** A queue in another partition than any of these. */
    static String elsewhere(int skip, String... queues) {
        List<PartitionId> taken = Stream.of(queues).map(ROUTING::ofQueue).toList();
        return names().filter(name -> !taken.contains(ROUTING.ofQueue(name)))
                .skip(skip)
                .findFirst()
                .orElseThrow();
    }

    /** Another queue in the same partition. */
    static String together(String queue) {
        return names().filter(
                        name -> !name.equals(queue) && ROUTING.ofQueue(name).equals(ROUTING.ofQueue(queue)))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> names() {
        return IntStream.range(0, 10_000).mapToObj(i -> "queue-" + i);
    }

    static Reply.Done done(String body) {
        return new Reply.Done(body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Routing routing() {
        return ROUTING;
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        Command command = request.command();
        Sent message = new Sent(request.log(), request.key(), command, request.patience());
        Function<Sent, CompletableFuture<Reply>> answer;
        synchronized (this) {
            sent.add(message);
            answer = script.poll();
        }
        if (answer == null) throw new AssertionError("unexpected " + message);
        CompletableFuture<Reply> reply = answer.apply(message);
        var unused = reply.whenComplete((done, failure) -> {
            if (reply.isCancelled()) withdrawn.add(message);
        });
        return reply;
    }

    @Override
    public boolean isSilent(PartitionId log) {
        return silent.contains(log);
    }

    List<Command> commands() {
        return sent.stream().map(Sent::command).toList();
    }

    List<PartitionId> logs() {
        return sent.stream().map(Sent::log).toList();
    }

    boolean isOver() {
        return script.isEmpty();
    }

    @Override
    public void close() {}
}
