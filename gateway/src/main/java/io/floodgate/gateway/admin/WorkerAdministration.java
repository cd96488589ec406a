package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobAnswer;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code /ojs/v1/admin/workers} (OJS admin §9). */
public final class WorkerAdministration {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    private final CommandClient client;
    private final Duration patience;
    private final WorkerPages pages;

    public WorkerAdministration(CommandClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
        pages = new WorkerPages(client, patience);
    }

    public Answer list(Call call) throws CommandFailed, RefusedException {
        Paging paging = Paging.of(call, PAGE, LARGEST_PAGE);
        WorkerPages.Workers workers = pages.all(call);
        List<WorkerEntry> shown = workers.all().stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .toList();
        List<List<byte[]>> leases = leases(shown);
        JsonOut out = new JsonOut(4_096).beginObject().name("items").beginArray();
        for (int i = 0; i < shown.size(); i++) {
            shown.get(i).write(out.beginObject());
            out.field("active_jobs", leases.get(i).size()).endObject();
        }
        out.endArray()
                .name("summary")
                .beginObject()
                .field("total", workers.all().size());
        for (String state : List.of(WorkerEntry.RUNNING, WorkerEntry.QUIET, WorkerEntry.STALE))
            out.field(
                    state,
                    workers.all().stream()
                            .filter(worker -> worker.state().equals(state))
                            .count());
        if (!workers.complete()) out.field("more", true);
        out.endObject();
        paging.write(workers.all().size(), out);
        return Answer.ok(out.endObject());
    }

    public Answer one(Call call) throws CommandFailed, RefusedException {
        WorkerEntry worker = entry(ask(call, new GetWorker(name(call))));
        List<byte[]> jobs = leases(List.of(worker)).getFirst();
        JsonOut out = new JsonOut(4_096).beginObject();
        worker.write(out);
        out.field("active_jobs", jobs.size()).name("jobs").beginArray();
        jobs.forEach(out::raw);
        return Answer.ok(out.endArray().endObject());
    }

    public Answer quiet(Call call) throws CommandFailed, RefusedException {
        return direct(call, Directive.QUIET);
    }

    /** {@code quiet}, {@code terminate}, or {@code resume}. */
    public Answer direct(Call call) throws CommandFailed, RefusedException {
        String word = call.json().requiredText("directive");
        return switch (word) {
            case "quiet", "drain" -> direct(call, Directive.QUIET);
            case "terminate", "stop" -> direct(call, Directive.TERMINATE);
            case "resume", "running", "continue" -> direct(call, Directive.RUNNING);
            default -> throw RequestFields.wrong("directive", "The 'directive' must be quiet, terminate or resume.");
        };
    }

    private Answer direct(Call call, Directive directive) throws CommandFailed, RefusedException {
        JsonOut out = new JsonOut(1_024).beginObject();
        entry(ask(call, new Direct(name(call), directive))).write(out);
        return Answer.ok(out.endObject());
    }

    public Answer deregister(Call call) throws CommandFailed, RefusedException {
        return Answer.ok(new JsonOut().raw(ask(call, new Deregister(name(call)))));
    }

    private static WorkerEntry entry(byte[] json) {
        return new WorkerEntry(json);
    }

    private byte[] ask(Call call, WorkerCommand command) throws CommandFailed, RefusedException {
        String worker = command.worker();
        Reply reply = call.by(client).call(client.routing().ofWorker(worker), "worker:" + worker, command, patience);
        return JobAnswer.lines(reply).getFirst();
    }

    private static String name(Call call) throws RefusedException {
        String name = call.parameter("id");
        if (name.length() <= Limits.NAME_CHARS) return name;
        throw new RefusedException(Refusal.notFound("worker", Limits.echo(name)));
    }

    /** What each of them has in hand, so many jobs of each log at most. */
    private List<List<byte[]>> leases(List<WorkerEntry> workers) throws CommandFailed, RefusedException {
        List<List<CompletableFuture<Reply>>> replies = new ArrayList<>();
        for (WorkerEntry worker : workers) {
            List<CompletableFuture<Reply>> ofWorker = new ArrayList<>();
            for (String log : worker.logs())
                ofWorker.add(client.send(
                        LogId.parse(log),
                        "worker:" + worker.id(),
                        new ListLeases(worker.id(), ListLeases.MAX_LIMIT),
                        patience));
            replies.add(ofWorker);
        }
        List<List<byte[]>> leases = new ArrayList<>();
        for (List<CompletableFuture<Reply>> ofWorker : replies) {
            List<byte[]> jobs = new ArrayList<>();
            for (CompletableFuture<Reply> reply : ofWorker) jobs.addAll(JobAnswer.lines(Replies.await(reply)));
            leases.add(jobs);
        }
        return leases;
    }
}
