package io.floodgate.gateway.job;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.capacity.Demand;
import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.schema.SchemaCheck;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.QueueTopic;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.trace.JobTracing;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Enqueues (OJS core §7.1): one job, or a batch, which one log decides about. */
public final class Enqueues {
    /** Number of jobs of a batch that cost a partition as much as one command. */
    private static final int JOBS_OF_ONE = 10;

    private static final byte[] NOTHING = {'{', '}'};

    private final Partitions partitions;
    private final Ids ids;
    private final CapacityCache doors;
    private final Overload overload;
    private final DepthCheck depth;
    private final WaysIn ways;
    private final DuplicateCounts duplicates;
    private final SchemaCheck schemas;

    public Enqueues(
            Partitions partitions,
            Ids ids,
            CapacityCache doors,
            WaysIn ways,
            Overload overload,
            DuplicateCounts duplicates,
            SchemaCheck schemas) {
        this.schemas = schemas;
        this.duplicates = duplicates;
        this.ways = ways;
        this.overload = overload;
        this.doors = doors;
        depth = new DepthCheck(partitions, doors, overload);
        this.partitions = partitions;
        this.ids = ids;
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException, UnreadableJob {
        return store(call, call.read(JobOrigin.of(call)::read));
    }

    /** Stores a job that was read from a request. */
    ApiResponse.Whole store(Call call, Envelope read) throws CommandFailed, RejectedException {
        call.caller().mustUse(read.queue());
        List<String> warnings = schemas.check(call, read);
        JobId given = read.id();
        JobId id = given == null ? ids.job(read.queue()) : given;
        describe(read, id, 1);
        PartitionId log = given == null
                ? partitions.ofQueue(read.queue()).partition()
                : partitions.ofJob(id).partition();
        Envelope envelope = read.withId(id);
        Duration wait = BlockTimeout.of(call);
        List<Demand> demands = List.of(new Demand(List.of(envelope), from(call, wait, given == null)));
        Reply reply;
        try {
            List<JobId> givenIds = given == null ? List.of() : List.of(given);
            Optional<Rejection> full = depth.reject(call, demands, givenIds, part(call, read.queue()));
            if (full.isPresent()) return ErrorAnswers.answer(full.get(), call.requestId());
            Enqueue command = new Enqueue(envelope.toJson(), given == null, wait);
            reply = ask(call, log, read.queue(), 1, command, demands);
        } catch (CommandFailed failure) {
            // The id makes it safe to try again: a job that was stored after all is not stored twice.
            return ErrorAnswers.answer(failure, call.requestId(), new Rejection.Detail("job_id", "\"" + id + "\""));
        }
        QueueLoads loads = new QueueLoads(doors);
        if (read.terms().unique() != null) duplicates.hear(read, reply);
        byte[] tail = loads.hear(Partitions.lines(reply), 1).get(0);
        Optional<Deduplicated> duplicate = duplicateOf(read, tail);
        return loads.warn(
                duplicate.isPresent() ? duplicate.get().answer(call, partitions) : created(read, id, tail, warnings));
    }

    /** Describes the jobs in the span of the request, if there is one. */
    private static void describe(Envelope job, @Nullable JobId id, int jobs) {
        Span span = Span.current();
        if (!span.isRecording()) return;
        span.setAttribute(JobTracing.JOB_ID, String.valueOf(id))
                .setAttribute(JobTracing.JOB_TYPE, job.type())
                .setAttribute(JobTracing.JOB_QUEUE, job.queue());
        if (jobs > 1) span.setAttribute(JobTracing.BATCH_SIZE, (long) jobs);
        TraceContext.in(job.members()).map(JobTracing::spanContext).ifPresent(span::addLink);
    }

    /** The job that is there in its place, if there is one. */
    private Optional<Deduplicated> duplicateOf(Envelope job, byte[] tail) {
        if (job.terms().unique() == null) return Optional.empty();
        Optional<Deduplicated> duplicate = Deduplicated.of(tail);
        if (duplicate.isPresent()) duplicates.ignored(job);
        else duplicates.stored(job, tail);
        return duplicate;
    }

    /** Returns the sender of the jobs of this request. */
    public static Demand.From from(Call call, Duration wait, boolean madeIds) {
        Identity identity = call.caller().identity();
        return new Demand.From(identity == null ? null : identity.name(), !wait.isZero(), madeIds);
    }

    /** The job is what was sent and, in the tail, what the system added. */
    private static ApiResponse.Whole created(Envelope sent, JobId id, byte[] tail, List<String> warnings) {
        String name = id.toString();
        JsonOut out = JsonOut.object(sent.members().length + 2 * tail.length + 256)
                .beginObject("job")
                .field("id", name);
        JobJson.members(sent.members(), out);
        JobJson.members(tail, out);
        out.endObject().field("id", name).field("type", sent.type());
        JobJson.members(tail, out);
        if (!warnings.isEmpty()) out.field("warnings", warnings);
        out.endObject();
        return ApiResponse.json(Status.CREATED_201, out)
                .with(HeaderValues.create(HeaderNames.LOCATION, JobOperations.PATH + "/" + name));
    }

    /** Returns the part of one sender that takes turns before a partition: a tenant, else a queue. */
    public static String part(Call call, String queue) throws RejectedException {
        Optional<Tenant> tenant = Tenant.of(call);
        return tenant.isPresent() ? "tenant '" + tenant.get().id() + "'" : "queue '" + queue + "'";
    }

    /**
     * Asks a partition. The time to wait means something only in a queue that blocks. So a queue that is not known to
     * block is asked first as by any other producer: then one that would wait takes turns with them.
     */
    private Reply ask(Call call, PartitionId log, String queue, int weight, Patient command, List<Demand> demands)
            throws CommandFailed, RejectedException {
        if (command.maxWait().isZero()) return askNow(call, log, queue, weight, command, demands);
        if (demands.stream().noneMatch(demand -> doors.blocks(demand.queue()))) {
            Reply first = askNow(call, log, queue, weight, command.waiting(Duration.ZERO), demands);
            if (!isFullAndBlocks(first)) return first;
        }
        return askAndWait(call, log, queue, weight, command, demands);
    }

    private Reply askNow(Call call, PartitionId log, String queue, int weight, Patient command, List<Demand> demands)
            throws CommandFailed, RejectedException {
        long asked = doors.now();
        try (Overload.Pass pass = overload.enter(log, call.source(), part(call, queue), weight)) {
            Reply reply = command instanceof Enqueue job
                    ? through(partitions.by(call).client(), queue, log, job, new Cancellation())
                    : partitions.by(call).owner(log, queue).call(command);
            pass.answered();
            return heard(reply, asked, demands);
        }
    }

    /** Through the topic of the queue, if there is one; what could not be written there goes to the log itself. */
    private Reply through(CommandClient sender, String queue, PartitionId log, Enqueue job, Cancellation leaving)
            throws CommandFailed {
        PartitionId ofQueue = partitions.ofQueue(queue).partition();
        Duration all = partitions.patience().plus(job.maxWait());
        Optional<QueueTopic> topic = ways.topicOf(queue, ofQueue);
        if (topic.isEmpty()) return sender.call(log, queue, job, all, leaving);
        CompletableFuture<Reply> reply = sender.enqueue(topic.get(), ofQueue, job, all, null, null);
        leaving.onCancel(() -> reply.cancel(false));
        try {
            Duration soon = WaysIn.HELD_UP_AFTER.plus(job.maxWait());
            return reply.get(soon.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            ways.isHeldUp(queue, reply);
        } catch (ExecutionException failed) {
            ways.isUnreachable(queue);
            if (failed.getCause() instanceof CommandNotSent) return sender.call(log, queue, job, all, leaving);
        } catch (CancellationException left) {
            // It was withdrawn: the reply says so below.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Replies.await(reply);
    }

    /** A producer that waits for room may leave. Its log has it in line soon: then it keeps no other caller from asking. */
    private Reply askAndWait(
            Call call, PartitionId log, String queue, int weight, Patient command, List<Demand> demands)
            throws CommandFailed, RejectedException {
        long asked = doors.now();
        try (Overload.Pass pass = overload.enter(log, call.source(), part(call, queue), weight)) {
            pass.closeIn(overload.settings().line().target());
            Cancellation leaving = Peer.whenTheCallerLeaves();
            // Who has to wait goes into the line of the log at once: what is still in a topic cannot be withdrawn.
            boolean hasRoom = demands.size() == 1 && doors.hasRoom(demands.getFirst());
            Reply reply = hasRoom && command instanceof Enqueue job
                    ? through(partitions.by(call).client(), queue, log, job, leaving)
                    : partitions
                            .by(call)
                            .client()
                            .call(log, queue, command, partitions.patience().plus(command.maxWait()), leaving);
            return heard(reply, asked, demands);
        }
    }

    private Reply heard(Reply reply, long asked, List<Demand> demands) {
        if (reply instanceof Reply.Rejected rejected)
            depth.hear(rejected.rejection(), asked, demands.size() == 1 ? demands.getFirst() : null);
        return reply;
    }

    static boolean isFullAndBlocks(Reply reply) {
        if (!(reply instanceof Reply.Rejected rejected)) return false;
        Rejection rejection = rejected.rejection();
        return isFull(rejection) && QueueLoad.of(rejection).text("strategy").equals(Optional.of(Overflow.BLOCK.wire()));
    }

    private static boolean isFull(Rejection rejection) {
        return rejection.code() == ErrorCode.QUEUE_FULL || rejection.code() == ErrorCode.TENANT_LIMIT_EXCEEDED;
    }

    public ApiResponse batch(Call call) throws CommandFailed, RejectedException {
        JobOrigin origin = JobOrigin.of(call);
        return storeAll(call, call.read(body -> BatchBody.read(body, origin, ids)));
    }

    /** Stores all of them, or none. */
    ApiResponse.Whole storeAll(Call call, BatchBody batch) throws CommandFailed, RejectedException {
        describe(
                batch.envelopes().getFirst(),
                batch.envelopes().getFirst().id(),
                batch.envelopes().size());
        for (Envelope envelope : batch.envelopes()) call.caller().mustUse(envelope.queue());
        List<String> warnings = schemas.check(call, batch.envelopes(), "batch");
        Duration wait = BlockTimeout.of(call);
        List<byte[]> jobs = batch.jobs();
        String queue = batch.envelopes().get(0).queue();
        PartitionId log = partitions.ofQueue(queue).partition();
        List<Demand> demands = Demand.byQueue(batch.envelopes(), from(call, wait, batch.madeIds()));
        Optional<Rejection> full = depth.reject(call, demands, batch.givenIds(), part(call, queue));
        if (full.isPresent()) return ErrorAnswers.answer(full.get(), call.requestId());
        QueueLoads loads = new QueueLoads(doors);
        int weight = 1 + jobs.size() / JOBS_OF_ONE;
        List<byte[]> tails;
        if (BatchInParts.isNeeded(jobs.size(), batch.bytes())) {
            try {
                BatchInParts parts =
                        new BatchInParts(partitions.by(call).owner(log, queue), batch.madeIds(), doors::now);
                roomFor(call, log, batch, wait, demands).ifPresent(parts::in);
                try (Overload.Pass pass = overload.enter(log, call.source(), part(call, queue), weight)) {
                    tails = parts.store(jobs, loads);
                }
            } catch (RejectedException rejected) {
                throw NeverFits.told(rejected, batch.envelopes());
            }
        } else {
            EnqueueBatch command = new EnqueueBatch(jobs, batch.madeIds(), wait);
            tails = loads.hear(Partitions.lines(ask(call, log, queue, weight, command, demands)), jobs.size());
        }
        call.awaitTurn(batch.bytes());
        return loads.warn(created(batch.envelopes(), tails, warnings));
    }

    /**
     * The name of room for the whole batch, reserved before its first part is sent: a part that is rejected knows nothing of the
     * others. Empty if jobs of the batch are stored already and need no room.
     */
    private Optional<Long> roomFor(Call call, PartitionId log, BatchBody batch, Duration wait, List<Demand> demands)
            throws CommandFailed, RejectedException {
        String queue = batch.envelopes().getFirst().queue();
        Reply reply;
        try {
            reply = ask(
                    call,
                    log,
                    queue,
                    1,
                    new HoldRoom(demands.stream().map(Demand::asQuestion).toList(), wait),
                    demands);
        } catch (NoReply silence) {
            // Reserved room that no part uses is released by the log.
            throw new CommandNotSent("the partition did not say whether there is room", silence);
        }
        boolean isFull = reply instanceof Reply.Rejected rejected && isFull(rejected.rejection());
        if (isFull && depth.areKnown(call, batch.givenIds(), part(call, queue))) return Optional.empty();
        return Optional.of(BatchInParts.name(Partitions.lines(reply)));
    }

    private ApiResponse.Whole created(List<Envelope> sent, List<byte[]> tails, List<String> warnings) {
        int size = tails.stream().mapToInt(t -> t.length + 128).sum()
                + sent.stream().mapToInt(e -> e.members().length).sum();
        JsonOut out = JsonOut.object(size).beginArray("jobs");
        int ignored = 0;
        for (int i = 0; i < sent.size(); i++) {
            Optional<Deduplicated> duplicate =
                    i < tails.size() ? duplicateOf(sent.get(i), tails.get(i)) : Optional.empty();
            if (duplicate.isPresent()) {
                ignored++;
                duplicate.get().write(out.beginObject()).endObject();
                continue;
            }
            out.beginObject().field("id", String.valueOf(sent.get(i).id()));
            JobJson.members(sent.get(i).members(), out);
            JobJson.members(i < tails.size() ? tails.get(i) : NOTHING, out);
            out.endObject();
        }
        out.endArray()
                .field("count", sent.size())
                .field("enqueued", sent.size() - ignored)
                .field("failed", 0);
        if (!warnings.isEmpty()) out.field("warnings", warnings);
        out.endObject();
        return ApiResponse.json(ignored == sent.size() ? Status.OK_200 : Status.CREATED_201, out);
    }
}
