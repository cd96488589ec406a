package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.worker.Directives;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** {@code /ojs/v1/admin/workers} (OJS admin §9). */
public final class WorkerAdministration {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    private final Partitions partitions;
    /** The number of workers that get a directive at once. */
    private static final int AT_ONCE = 100;

    private final WorkerPages pages;
    private final Directives directives;
    private final Shared<Registry> registry;

    /** @param leases how many jobs workers have in hand, of those that were shown */
    private record Registry(WorkerPages.Workers workers, Map<String, Integer> leases) {}

    /**
     * @param directives which workers are to get no more jobs
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public WorkerAdministration(Partitions partitions, Directives directives, LongSupplier nanos) {
        this.partitions = partitions;
        this.directives = directives;
        pages = new WorkerPages(partitions);
        registry = new Shared<>(nanos);
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call, PAGE, LARGEST_PAGE);
        Registry known = known(call);
        WorkerPages.Workers workers = known.workers;
        List<WorkerEntry> shown = workers.all().stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .toList();
        List<WorkerEntry> uncounted = shown.stream()
                .filter(worker -> !known.leases.containsKey(worker.id()))
                .toList();
        List<List<byte[]>> leases = leases(uncounted);
        for (int i = 0; i < uncounted.size(); i++)
            known.leases.put(uncounted.get(i).id(), leases.get(i).size());
        JsonOut out = JsonOut.object(4_096).beginArray("items");
        for (WorkerEntry worker : shown) {
            worker.write(out.beginObject());
            out.field("active_jobs", known.leases.getOrDefault(worker.id(), 0)).endObject();
        }
        out.endArray().beginObject("summary").field("total", workers.all().size());
        for (String state : List.of(WorkerEntry.RUNNING, WorkerEntry.QUIET, WorkerEntry.STALE, WorkerEntry.LEFT))
            out.field(
                    state,
                    workers.all().stream()
                            .filter(worker -> worker.state().equals(state))
                            .count());
        if (!workers.complete()) out.field("more", true);
        out.endObject();
        paging.write(workers.all().size(), out);
        return ApiResponse.ok(out.endObject());
    }

    /** Returns the registry's entries of workers, without their jobs; at most two seconds old. */
    public List<byte[]> registered(Call call) throws CommandFailed, RejectedException {
        return known(call).workers.all().stream()
                .map(worker -> {
                    JsonOut out = JsonOut.object(512);
                    worker.write(out);
                    return out.endObject().toBytes();
                })
                .toList();
    }

    private Registry known(Call call) throws CommandFailed, RejectedException {
        Registry known = registry.get(() -> new Registry(pages.all(call), new ConcurrentHashMap<>()));
        if (!known.workers.isSmall()) registry.forget();
        return known;
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        return ApiResponse.ok(new JsonOut().raw(figures(call)));
    }

    /** Returns the worker in the path, and its jobs, as one object. */
    public byte[] figures(Call call) throws CommandFailed, RejectedException {
        WorkerEntry worker = entry(ask(call, new GetWorker(name(call))));
        List<byte[]> jobs = leases(List.of(worker)).getFirst();
        JsonOut out = JsonOut.object(4_096);
        worker.write(out);
        out.field("active_jobs", jobs.size()).beginArray("jobs");
        jobs.forEach(out::raw);
        return out.endArray().endObject().toBytes();
    }

    public ApiResponse quiet(Call call) throws CommandFailed, RejectedException {
        return direct(call, Directive.QUIET);
    }

    /** {@code quiet}, {@code terminate}, or {@code resume}. */
    public ApiResponse direct(Call call) throws CommandFailed, RejectedException {
        return direct(call, directive(call));
    }

    private static Directive directive(Call call) throws RejectedException {
        return switch (call.json().only(Set.of("directive")).requiredText("directive")) {
            case "quiet", "drain" -> Directive.QUIET;
            case "terminate", "stop" -> Directive.TERMINATE;
            case "resume", "running", "continue" -> Directive.RUNNING;
            default -> throw RequestFields.wrong("directive", "The 'directive' must be quiet, terminate or resume.");
        };
    }

    private ApiResponse direct(Call call, Directive directive) throws CommandFailed, RejectedException {
        String worker = name(call);
        JsonOut out = JsonOut.object(1_024);
        entry(ask(call, new Direct(worker, directive))).write(out);
        changed(worker, directive);
        return ApiResponse.ok(out.endObject());
    }

    /** Every worker that is there, as the command-line tool asks for it. */
    public ApiResponse directAll(Call call) throws CommandFailed, RejectedException {
        Directive directive = directive(call);
        WorkerPages.Workers workers = pages.all(call);
        List<String> present = workers.all().stream()
                .filter(worker -> worker.isPresent())
                .map(WorkerEntry::id)
                .toList();
        int told = 0;
        for (int from = 0; from < present.size(); from += AT_ONCE)
            told += direct(call, present.subList(from, Math.min(present.size(), from + AT_ONCE)), directive);
        JsonOut out = JsonOut.object()
                .field("directive", directive == Directive.RUNNING ? "continue" : directive.wire())
                .field("workers", told);
        if (!workers.complete()) out.field("more", true);
        return ApiResponse.ok(out.endObject());
    }

    private int direct(Call call, List<String> workers, Directive directive) throws CommandFailed, RejectedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (String worker : workers)
            replies.add(partitions.by(call).ofWorker(worker).send(new Direct(worker, directive)));
        int told = 0;
        for (int i = 0; i < replies.size(); i++) {
            Reply reply = Replies.await(replies.get(i));
            // One that has left meanwhile needs no directive.
            if (reply instanceof Reply.Rejected rejected && rejected.rejection().code() == ErrorCode.NOT_FOUND)
                continue;
            Partitions.lines(reply);
            changed(workers.get(i), directive);
            told++;
        }
        return told;
    }

    private void changed(String worker, Directive directive) {
        directives.changed(worker, directive.wire());
        registry.forget();
    }

    public ApiResponse deregister(Call call) throws CommandFailed, RejectedException {
        byte[] deregistered = ask(call, new Deregister(name(call)));
        registry.forget();
        return ApiResponse.ok(new JsonOut().raw(deregistered));
    }

    private static WorkerEntry entry(byte[] json) {
        return new WorkerEntry(json);
    }

    private byte[] ask(Call call, WorkerCommand command) throws CommandFailed, RejectedException {
        return partitions.by(call).ofWorker(command.worker()).askLine(command);
    }

    public static String name(Call call) throws RejectedException {
        String name = call.parameter("id");
        if (name.length() <= Limits.NAME_CHARS) return name;
        throw new RejectedException(Rejection.notFound("worker", Limits.echo(name)));
    }

    /** The jobs that each worker holds, up to a bound per partition. */
    private List<List<byte[]>> leases(List<WorkerEntry> workers) throws CommandFailed, RejectedException {
        List<List<CompletableFuture<Reply>>> replies = new ArrayList<>();
        for (WorkerEntry worker : workers) {
            List<CompletableFuture<Reply>> ofWorker = new ArrayList<>();
            for (String log : worker.logs())
                ofWorker.add(partitions
                        .owner(PartitionId.parse(log), "worker:" + worker.id())
                        .send(new ListLeases(worker.id(), ListLeases.MAX_LIMIT)));
            replies.add(ofWorker);
        }
        List<List<byte[]>> leases = new ArrayList<>();
        for (List<CompletableFuture<Reply>> ofWorker : replies) {
            List<byte[]> jobs = new ArrayList<>();
            for (CompletableFuture<Reply> reply : ofWorker) jobs.addAll(Partitions.await(reply));
            leases.add(jobs);
        }
        return leases;
    }
}
