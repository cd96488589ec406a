package io.floodgate.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Logs that answer what a test wants them to, and remember what they were sent. */
public final class FakePartitions implements CommandClient {
    /** @param by null for the gateway itself, and for a caller without a key */
    public record Sent(PartitionId log, String key, Command command, Identity by, Duration patience) {}

    private final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean noWorkers;
    private volatile boolean noCounts;
    private volatile Function<Sent, CompletableFuture<Reply>> answer = FakePartitions::silence;

    @Override
    public Routing routing() {
        return new Routing(4);
    }

    @Override
    public CompletableFuture<Reply> send(CommandRequest request) {
        Sent one = new Sent(request.log(), request.key(), request.command(), request.by(), request.patience());
        if (noWorkers && request.command() instanceof GetWorker)
            return CompletableFuture.completedFuture(new Reply.Rejected(Rejection.notFound("worker", "any")));
        if (noCounts && request.command() instanceof CountRejected)
            return CompletableFuture.failedFuture(new CommandNotSent("counts are left out"));
        sent.add(one);
        return answer.apply(one);
    }

    /** For fetches: no worker is registered, and asking for one does not count among the commands. */
    public void haveNoWorkers() {
        noWorkers = true;
    }

    /** Counts of rejected jobs come a second after the jobs, maybe in another test. None is sent. */
    public FakePartitions leaveOutCounts() {
        noCounts = true;
        return this;
    }

    /** Forgets what was sent, and has no answers. */
    public FakePartitions reset() {
        sent.clear();
        answer = FakePartitions::silence;
        return this;
    }

    /** Each command is answered with these lines. */
    public void answer(String... lines) {
        answer(command -> done(lines));
    }

    public void answer(Function<Command, Reply> by) {
        answer = s -> CompletableFuture.completedFuture(by.apply(s.command()));
    }

    public void answerByLog(Function<Sent, Reply> by) {
        answer = s -> CompletableFuture.completedFuture(by.apply(s));
    }

    public void answerLater(Function<Sent, CompletableFuture<Reply>> by) {
        answer = by;
    }

    public void reject(Rejection rejection) {
        answer(command -> new Reply.Rejected(rejection));
    }

    public void fail(CommandFailed failure) {
        answer = s -> CompletableFuture.failedFuture(failure);
    }

    public static Reply done(String... lines) {
        return new Reply.Done(String.join("\n", lines).getBytes(UTF_8));
    }

    public List<Sent> sent() {
        return List.copyOf(sent);
    }

    public Sent theOnlySent() {
        if (sent.size() != 1) throw new AssertionError("sent: " + sent);
        return sent.get(0);
    }

    public <T extends Command> T theCommand(Class<T> type) {
        return type.cast(theOnlySent().command());
    }

    @Override
    public void close() {}

    private static CompletableFuture<Reply> silence(Sent sent) {
        return CompletableFuture.failedFuture(new NoReply("the test did not answer " + sent.command()));
    }
}
