package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Fetches from any number of queues, left to right. Queues of one log are asked, and waited on, with one command. Queues
 * of several logs are asked one log after the other, so that no more is claimed than was asked for; to wait, all of them
 * are watched, and asked again when one has something.
 */
public final class Fetching {
    private final CommandClient client;
    private final Duration patience;

    public Fetching(CommandClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    /** The jobs claimed, each as JSON; none when nothing came up within {@code request.maxWait()}. */
    public List<byte[]> fetch(Fetch request) throws CommandFailed, RefusedException {
        List<Fetch> parts = byLog(request);
        if (parts.size() == 1) return ask(parts.get(0));
        long deadline = System.nanoTime() + request.maxWait().toNanos();
        Map<LogId, CompletableFuture<Reply>> watches = new LinkedHashMap<>();
        while (true) {
            List<byte[]> jobs = sweep(parts, request.count());
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (!jobs.isEmpty() || left.toMillis() <= 0) return jobs;
            watch(request.queues(), left, watches);
            awaitAny(watches);
        }
    }

    /** Gives jobs back that their caller is no longer there to run; the attempt does not count. */
    public void giveBack(List<byte[]> jobs) {
        for (byte[] json : jobs) giveBack(json);
    }

    private void giveBack(byte[] json) {
        try {
            Members job = Members.of(json);
            String id = job.text("id");
            Long lease = job.number("lease");
            if (id != null && lease != null) JobId.parse(id).ifPresent(it -> giveBack(it, new Claimant(null, lease)));
        } catch (MalformedJson unreadable) {
            // Nobody can run it either: the lease ends by itself.
        }
    }

    private void giveBack(JobId job, Claimant claimant) {
        ErrorReport reason = ErrorReport.of("fetch_abandoned", "The caller was gone before the job reached it.");
        Nack nack = new Nack(job, claimant, reason, true);
        // Should this fail, the lease ends by itself.
        var unused = client.send(client.routing().ofJob(job), job.toString(), nack, patience);
    }

    private List<byte[]> sweep(List<Fetch> parts, int count) throws CommandFailed, RefusedException {
        List<byte[]> jobs = new ArrayList<>();
        for (Fetch part : parts) {
            if (jobs.size() == count) break;
            try {
                jobs.addAll(ask(new Fetch(
                        part.queues(), count - jobs.size(), part.worker(), part.visibility(), Duration.ZERO)));
            } catch (CommandFailed | RefusedException failed) {
                // What other logs have handed out already must reach its worker.
                if (jobs.isEmpty()) throw failed;
                break;
            }
        }
        return jobs;
    }

    private List<byte[]> ask(Fetch fetch) throws CommandFailed, RefusedException {
        String key = fetch.queues().get(0);
        Duration wait = patience.plus(fetch.maxWait());
        Reply reply = Replies.await(client.send(client.routing().ofQueue(key), key, fetch, wait, late -> {
            if (late instanceof Reply.Done done) giveBack(done.lines());
        }));
        return switch (reply) {
            case Reply.Done done -> done.lines();
            case Reply.Refused refused -> throw new RefusedException(refused.refusal());
        };
    }

    /** Runs of neighbours in the list that share a log. */
    private List<Fetch> byLog(Fetch request) {
        List<Fetch> parts = new ArrayList<>();
        List<String> run = new ArrayList<>();
        for (String queue : request.queues()) {
            if (!run.isEmpty() && !log(run.get(0)).equals(log(queue))) {
                parts.add(part(request, run));
                run = new ArrayList<>();
            }
            run.add(queue);
        }
        parts.add(part(request, run));
        return parts;
    }

    private static Fetch part(Fetch request, List<String> queues) {
        return new Fetch(queues, request.count(), request.worker(), request.visibility(), request.maxWait());
    }

    private LogId log(String queue) {
        return client.routing().ofQueue(queue);
    }

    /** Watches the logs that are not being watched yet. */
    private void watch(List<String> queues, Duration wait, Map<LogId, CompletableFuture<Reply>> watches) {
        watches.values().removeIf(CompletableFuture::isDone);
        Map<LogId, List<String>> byLog = new LinkedHashMap<>();
        for (String queue : queues)
            byLog.computeIfAbsent(log(queue), log -> new ArrayList<>()).add(queue);
        byLog.forEach((log, names) -> watches.computeIfAbsent(
                log, l -> client.send(l, names.get(0), new Watch(names, wait), patience.plus(wait))));
    }

    private static void awaitAny(Map<LogId, CompletableFuture<Reply>> watches) throws CommandFailed, RefusedException {
        var any = CompletableFuture.anyOf(watches.values().toArray(CompletableFuture<?>[]::new));
        Reply first = Replies.await(any.thenApply(Reply.class::cast));
        if (first instanceof Reply.Refused refused) throw new RefusedException(refused.refusal());
    }
}
