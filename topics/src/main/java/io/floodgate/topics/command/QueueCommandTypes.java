package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.DIRECTORY;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.FETCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.CommandType.Writer;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Commands that store jobs in queues, fetch them, and look after the queues. */
final class QueueCommandTypes {
    /** Executing a fetch of this many queues costs a partition as much as any other command. */
    private static final int QUEUES_PER_UNIT = 10;

    static final List<CommandType<?>> ROWS = List.of(
            command(Enqueue.class, QUEUE, WORK, "Stores a job.")
                    .readsValue("enqueue", RECORD_BYTES, value -> new Enqueue(value, false))
                    .readsValue("enqueue-new", RECORD_BYTES, value -> new Enqueue(value, true))
                    .reads("enqueue-waiting", Limits.COMMAND_BYTES, QueueCommandTypes::readWaiting)
                    .writes(QueueCommandTypes::encode)
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .bounded(Limits::wait),
            command(Fetch.class, QUEUE, FETCHES, "Leases jobs to a worker, and waits for the first one.")
                    .json("fetch", QueueCommandTypes::writeFetch, QueueCommandTypes::readFetch)
                    .waits(c -> !c.maxWait().isZero(), LateReply.WITHDRAWN)
                    .weighs(c -> weight(c.queues().size(), c.maxWait()))
                    .bounded(c -> {
                        Limits.queues(c.queues());
                        Limits.name("worker_id", c.worker());
                        Limits.types(c.types());
                        Limits.tenants(c.types(), c.queues().size());
                    }),
            command(Watch.class, QUEUE, FETCHES, "Waits until a queue has a job to fetch; leases nothing.")
                    .json("watch", QueueCommandTypes::writeWatch, QueueCommandTypes::readWatch)
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> weight(c.queues().size(), c.maxWait()))
                    .bounded(c -> {
                        Limits.queues(c.queues());
                        Limits.types(c.types());
                        Limits.tenants(c.types(), c.queues().size());
                    }),
            command(Decline.class, QUEUE, COMPLETIONS, "A watch has found jobs that its caller will not fetch.")
                    .json(
                            "decline",
                            (c, out) -> out.field("queues", c.queues()),
                            in -> new Decline(in.queues("queues")))
                    .bounded(c -> Limits.queues(c.queues())),
            query(GetQueue.class, QUEUE, WORK, "Returns the status of a queue.")
                    .json("get-queue", queue(GetQueue::queue), in -> new GetQueue(in.text("queue")))
                    .bounded(c -> Limits.name("queue", c.queue())),
            query(
                            ExplainQueue.class,
                            QUEUE,
                            WORK,
                            "Returns what explains how a queue stands: who waits, and what holds jobs.")
                    .json("explain-queue", queue(ExplainQueue::queue), in -> new ExplainQueue(in.text("queue")))
                    .bounded(c -> Limits.name("queue", c.queue())),
            query(CountPriorities.class, QUEUE, WORK, "Counts the available jobs of a queue by priority.")
                    .json(
                            "count-priorities",
                            queue(CountPriorities::queue),
                            in -> new CountPriorities(in.text("queue")))
                    .bounded(c -> Limits.name("queue", c.queue())),
            command(Pause.class, QUEUE, WORK, "Pauses a queue: none of its jobs are fetched.")
                    .json(
                            "pause",
                            (c, out) -> out.field("queue", c.queue()).optional("reason", c.reason()),
                            in -> new Pause(in.text("queue"), in.optionalText("reason")))
                    .bounded(c -> {
                        Limits.name("queue", c.queue());
                        Limits.chars("reason", c.reason(), Pause.REASON_CHARS);
                    }),
            command(Resume.class, QUEUE, WORK, "Resumes a paused queue.")
                    .json("resume", queue(Resume::queue), in -> new Resume(in.text("queue")))
                    .bounded(c -> Limits.name("queue", c.queue())),
            command(ConfigureQueue.class, QUEUE, WORK, "Changes the configuration of a queue.")
                    .json("configure-queue", QueueCommandTypes::writeConfigure, QueueCommandTypes::readConfigure)
                    .bounded(ConfigLimits::check),
            command(CreateQueue.class, QUEUE, WORK, "Creates a queue before its first job.")
                    .json(
                            "create-queue",
                            (c, out) -> writeSet(c.config(), out.field("queue", c.queue())),
                            in -> new CreateQueue(in.text("queue"), QueueConfigCodec.read(in.fields("set"))))
                    .bounded(c -> ConfigLimits.check(new ConfigureQueue(c.queue(), c.config(), Set.of()))),
            command(DeleteQueue.class, QUEUE, WORK, "Deletes a queue once nothing unfinished is left in it.")
                    .json(
                            "delete-queue",
                            (c, out) -> out.field("queue", c.queue())
                                    .field("strategy", c.strategy().wire())
                                    .optional("target_queue", c.target()),
                            in -> new DeleteQueue(in.text("queue"), deletion(in), in.optionalText("target_queue")))
                    .bounded(c -> {
                        Limits.name("queue", c.queue());
                        Limits.name("target_queue", c.target());
                    }),
            command(CountRejected.class, QUEUE, WORK, "Counts jobs that a gateway rejected without a command.")
                    .json("count-rejected", QueueCommandTypes::writeCountRejected, QueueCommandTypes::readCountRejected)
                    .bounded(c -> {
                        Limits.name("queue", c.queue());
                        Limits.name("job_type", c.type());
                        Limits.name("tenant_id", c.tenant());
                    }),
            command(CheckRoom.class, QUEUE, WORK, "Asks whether a queue that seems full has capacity for these jobs.")
                    .largeJson(
                            "probe-capacity",
                            (c, out) -> RoomCodec.members(c.demand(), out),
                            in -> new CheckRoom(RoomCodec.read(in)))
                    .bounded(c -> RoomCodec.check(List.of(c.demand()))),
            query(CheckIds.class, DIRECTORY, WORK, "Counts the ids that belong to a job, or may soon.")
                    .largeJson(
                            "check-ids",
                            (c, out) -> out.field(
                                    "job_ids",
                                    c.ids().stream().map(JobId::toString).toList()),
                            in -> new CheckIds(in.jobs("job_ids")))
                    .bounded(c -> Limits.most("job_ids", c.ids().size(), Limits.JOBS_OF_A_BATCH)),
            command(
                            UseKey.class,
                            QUEUE,
                            WORK,
                            "Offers the key by which gateways sign jobs in the topic of a queue, and asks whether the topic is read.")
                    .json(
                            "use-key",
                            (c, out) -> out.field("queue", c.queue()).field("key", c.offered()),
                            in -> new UseKey(in.text("queue"), in.text("key")))
                    .bounded(c -> {
                        Limits.name("queue", c.queue());
                        if (!c.offered().matches("[0-9a-f]{%d}".formatted(2 * SignedRequest.KEY_BYTES)))
                            throw new UnreadableCommand("'key' must have %d bytes, as hexadecimal digits."
                                    .formatted(SignedRequest.KEY_BYTES));
                    }),
            command(OpenIngress.class, QUEUE, WORK, "Says that a partition of a queue's own topic is read.")
                    .json(
                            "open-ingress",
                            (c, out) -> ForwardCodec.write(c.ingress(), out),
                            in -> new OpenIngress(ForwardCodec.ingress(in)))
                    .bounded(c -> ForwardCodec.check(c.ingress())),
            command(Forward.class, QUEUE, WORK, "Stores a record of the topic of a queue's own.")
                    .largeJson("forward", ForwardCodec::write, ForwardCodec::read)
                    .bounded(ForwardCodec::check));

    private QueueCommandTypes() {}

    private static <C extends QueueCommand> Writer<C> queue(Function<C, String> name) {
        return (command, out) -> out.field("queue", name.apply(command));
    }

    private static Encoded encode(Enqueue command) {
        if (command.maxWait().isZero()) return new Encoded(command.madeId() ? "enqueue-new" : "enqueue", command.job());
        JsonOut out = new JsonOut()
                .beginObject()
                .field("made_id", command.madeId())
                .fieldRaw("job", command.job())
                .field("wait_ms", command.maxWait().toMillis());
        return new Encoded("enqueue-waiting", out.endObject().toBytes());
    }

    private static Enqueue readWaiting(JsonFields in) throws UnreadableCommand {
        return new Enqueue(in.object("job"), in.flag("made_id"), in.millis("wait_ms"));
    }

    private static int weight(int queues, Duration wait) {
        return wait.isZero() ? 1 + queues / QUEUES_PER_UNIT : queues;
    }

    private static void writeFetch(Fetch fetch, JsonOut out) {
        Duration visibility = fetch.visibility();
        out.field("queues", fetch.queues()).field("count", fetch.count()).optional("worker_id", fetch.worker());
        if (visibility != null) out.field("visibility_timeout_ms", visibility.toMillis());
        out.field("wait_ms", fetch.maxWait().toMillis());
        writeSelection(fetch.types(), fetch.atOnce(), out);
    }

    private static Fetch readFetch(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Fetch(
                in.queues("queues"),
                in.count("count", Fetch.MAX_COUNT),
                in.optionalText("worker_id"),
                in.optionalMillis("visibility_timeout_ms"),
                in.millis("wait_ms"),
                WantedJobsCodec.read(in),
                in.flag("at_once"));
    }

    private static void writeWatch(Watch watch, JsonOut out) {
        out.field("queues", watch.queues()).field("wait_ms", watch.maxWait().toMillis());
        writeSelection(watch.types(), watch.atOnce(), out);
    }

    private static Watch readWatch(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new Watch(in.queues("queues"), in.millis("wait_ms"), WantedJobsCodec.read(in), in.flag("at_once"));
    }

    private static void writeSelection(WantedJobs types, boolean atOnce, JsonOut out) {
        WantedJobsCodec.write(types, out);
        if (atOnce) out.field("at_once", true);
    }

    private static void writeConfigure(ConfigureQueue command, JsonOut out) {
        writeSet(command.set(), out.field("queue", command.queue()));
        out.field("unset", command.unset().stream().sorted().toList());
        if (command.mustExist()) out.field("must_exist", true);
    }

    private static void writeSet(QueueConfig set, JsonOut out) {
        QueueConfigCodec.write(set, out.name("set").beginObject());
        out.endObject();
    }

    private static ConfigureQueue readConfigure(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new ConfigureQueue(
                in.text("queue"),
                QueueConfigCodec.read(in.fields("set")),
                new LinkedHashSet<>(in.texts("unset")),
                in.flag("must_exist"));
    }

    private static Deletion deletion(JsonFields in) throws UnreadableCommand {
        String strategy = in.text("strategy");
        return Deletion.parse(strategy)
                .orElseThrow(() -> new UnreadableCommand(
                        "There is no strategy '%s' to delete a queue.".formatted(Limits.echo(strategy))));
    }

    private static void writeCountRejected(CountRejected command, JsonOut out) {
        out.field("queue", command.queue())
                .field("jobs", command.jobs())
                .field("job_type", command.type())
                .optional("tenant_id", command.tenant());
    }

    private static CountRejected readCountRejected(JsonFields in) throws UnreadableCommand {
        return new CountRejected(
                in.text("queue"), in.natural("jobs"), in.text("job_type"), in.optionalText("tenant_id"));
    }
}
