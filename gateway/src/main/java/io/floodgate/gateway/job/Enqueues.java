package io.floodgate.gateway.job;

import io.floodgate.gateway.connection.Peer;
import io.floodgate.gateway.door.Demand;
import io.floodgate.gateway.door.Doors;
import io.floodgate.gateway.door.EarlyRefusals;
import io.floodgate.gateway.http.Answer;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.ErrorAnswers;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Enqueues (OJS core §7.1): one job, or a batch, which one log decides about. */
public final class Enqueues {
    /** So many jobs of a batch cost a log as much as any one command. */
    private static final int JOBS_OF_ONE = 10;

    private static final byte[] NOTHING = {'{', '}'};

    private final CommandClient client;
    private final Duration patience;
    private final Ids ids;
    private final Doors doors;
    private final Overload overload;
    private final EarlyRefusals early;

    Enqueues(CommandClient client, Duration patience, Ids ids, Doors doors, Overload overload) {
        this.overload = overload;
        this.doors = doors;
        early = new EarlyRefusals(client, doors);
        this.client = client;
        this.patience = patience;
        this.ids = ids;
    }

    public Answer one(Call call) throws CommandFailed, RefusedException, UnreadableJob {
        Optional<Tenant> tenant = Tenant.of(call);
        Envelope read = call.read(
                body -> EnvelopeReader.read(tenant.isPresent() ? tenant.get().putInto(body) : body));
        call.caller().mustUse(read.queue());
        JobId given = read.id();
        JobId id = given == null ? ids.job(read.queue()) : given;
        LogId log = given == null
                ? client.routing().ofQueue(read.queue())
                : client.routing().ofJob(id);
        Envelope envelope = read.withId(id);
        Duration wait = BlockTimeout.of(call);
        if (given == null && wait.isZero()) {
            Optional<Refusal> full = early.refuse(new Demand(List.of(envelope)));
            if (full.isPresent()) return ErrorAnswers.answer(full.get(), call.requestId());
        }
        Enqueue command = new Enqueue(envelope.toJson(), given == null, wait);
        Reply reply;
        try {
            reply = ask(call, log, read.queue(), 1, command);
        } catch (CommandFailed failure) {
            // The id makes it safe to try again: a job that was stored after all is not stored twice.
            return ErrorAnswers.answer(failure, call.requestId(), new Refusal.Detail("job_id", "\"" + id + "\""));
        }
        QueueLoads loads = new QueueLoads(doors);
        byte[] tail = loads.hear(JobAnswer.lines(reply), 1).get(0);
        return loads.warn(created(read, id, tail));
    }

    /** The job is what was sent and, in the tail, what the system added. */
    private static Answer.Whole created(Envelope sent, JobId id, byte[] tail) {
        String name = id.toString();
        JsonOut out = new JsonOut(sent.members().length + 2 * tail.length + 256)
                .beginObject()
                .name("job")
                .beginObject()
                .field("id", name);
        JobJson.members(sent.members(), out);
        out.members(tail)
                .endObject()
                .field("id", name)
                .field("type", sent.type())
                .members(tail)
                .endObject();
        return Answer.json(Status.CREATED_201, out)
                .with(HeaderValues.create(HeaderNames.LOCATION, JobOperations.PATH + "/" + name));
    }

    /** Whose jobs of one sender take turns before a log: those of tenants, else those of queues. */
    private static String part(Call call, String queue) throws RefusedException {
        Optional<Tenant> tenant = Tenant.of(call);
        return tenant.isPresent() ? "tenant '" + tenant.get().id() + "'" : "queue '" + queue + "'";
    }

    /** A producer that waits for room may leave; others are answered at once. */
    private Reply ask(Call call, LogId log, String queue, int weight, Patient command)
            throws CommandFailed, RefusedException {
        CommandClient sender = call.by(client);
        Duration wait = command.maxWait();
        long asked = doors.now();
        Reply reply;
        if (wait.isZero()) {
            try (Overload.Pass pass = overload.enter(log, call.source(), part(call, queue), weight)) {
                reply = sender.call(log, queue, command, patience);
                pass.answered();
            }
        } else {
            reply = sender.call(log, queue, command, patience.plus(wait), Peer.whenTheCallerLeaves());
        }
        if (reply instanceof Reply.Refused refused && refused.refusal().code() == ErrorCode.QUEUE_FULL)
            doors.refused(refused.refusal(), asked);
        return reply;
    }

    public Answer batch(Call call) throws CommandFailed, RefusedException {
        Optional<Tenant> tenant = Tenant.of(call);
        BatchBody batch = call.read(body -> BatchBody.read(body, tenant, ids));
        for (Envelope envelope : batch.envelopes()) call.caller().mustUse(envelope.queue());
        Duration wait = BlockTimeout.of(call);
        List<byte[]> jobs = batch.jobs();
        String queue = batch.envelopes().get(0).queue();
        LogId log = client.routing().ofQueue(queue);
        if (batch.madeIds() && wait.isZero() && batch.isForOneQueue()) {
            Optional<Refusal> full = early.refuse(new Demand(batch.envelopes()));
            if (full.isPresent()) return ErrorAnswers.answer(full.get(), call.requestId());
        }
        QueueLoads loads = new QueueLoads(doors);
        int weight = 1 + jobs.size() / JOBS_OF_ONE;
        List<byte[]> tails;
        if (BatchInParts.isNeeded(jobs.size(), batch.bytes())) {
            try {
                BatchInParts parts = new BatchInParts(call.by(client), log, queue, batch.madeIds(), patience);
                if (wait.isZero()) {
                    Overload.Pass pass = overload.enter(log, call.source(), part(call, queue), weight);
                    try {
                        tails = parts.store(jobs, loads);
                    } finally {
                        pass.close();
                    }
                } else {
                    parts.in(holdRoom(call, log, queue, batch, wait));
                    tails = parts.store(jobs, loads);
                }
            } catch (RefusedException refused) {
                throw NeverFits.told(refused, batch.envelopes());
            }
        } else {
            tails = loads.hear(
                    JobAnswer.lines(ask(call, log, queue, weight, new EnqueueBatch(jobs, batch.madeIds(), wait))),
                    jobs.size());
        }
        call.awaitTurn(batch.bytes());
        return loads.warn(created(batch.envelopes(), tails));
    }

    /** Before anything of it is stored, it waits for room for all of it: the name of what is held. */
    private long holdRoom(Call call, LogId log, String queue, BatchBody batch, Duration wait)
            throws CommandFailed, RefusedException {
        return BatchInParts.name(JobAnswer.lines(ask(call, log, queue, 1, new HoldRoom(batch.demands(), wait))));
    }

    private static Answer.Whole created(List<Envelope> sent, List<byte[]> tails) {
        int size = tails.stream().mapToInt(t -> t.length + 128).sum()
                + sent.stream().mapToInt(e -> e.members().length).sum();
        JsonOut out = new JsonOut(size).beginObject().name("jobs").beginArray();
        for (int i = 0; i < sent.size(); i++) {
            out.beginObject().field("id", String.valueOf(sent.get(i).id()));
            JobJson.members(sent.get(i).members(), out);
            out.members(i < tails.size() ? tails.get(i) : NOTHING).endObject();
        }
        out.endArray()
                .field("count", sent.size())
                .field("enqueued", sent.size())
                .field("failed", 0)
                .endObject();
        return Answer.json(Status.CREATED_201, out);
    }
}
