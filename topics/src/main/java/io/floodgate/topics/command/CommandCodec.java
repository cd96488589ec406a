package io.floodgate.topics.command;

import io.floodgate.topics.Headers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.LogCommand.Acknowledge;
import io.floodgate.topics.command.LogCommand.Configure;
import io.floodgate.topics.command.LogCommand.DiscardSetAside;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.LogCommand.Inspect;
import io.floodgate.topics.command.LogCommand.ListDead;
import io.floodgate.topics.command.LogCommand.ListSetAside;
import io.floodgate.topics.command.LogCommand.Reset;
import io.floodgate.topics.command.LogCommand.RetrySetAside;
import io.floodgate.topics.command.LogCommand.Tick;
import io.floodgate.topics.command.LogCommand.Upgrade;
import io.floodgate.topics.command.LogCommand.Withdraw;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.EndMove;
import io.floodgate.topics.command.Message.ExpectJobs;
import io.floodgate.topics.command.Message.Expected;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.MoveJobs;
import io.floodgate.topics.command.Message.PassedOn;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Placed;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Readdressed;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Settle;
import io.floodgate.topics.command.Message.Taken;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Message.Unsettled;
import io.floodgate.topics.command.Message.Verify;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.Message.WorkerLost;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountPriorities;
import io.floodgate.topics.command.QueueCommand.CountRefused;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.Inlet;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Commands to and from records: the {@code ojs-op} header names the command, the value is JSON. */
public final class CommandCodec {
    private static final byte[] NOTHING = {'{', '}'};

    /** A command as it stands in the log. */
    public record Encoded(String op, byte[] value) {}

    private CommandCodec() {}

    public static Encoded encode(Command command) {
        return switch (command) {
            case Enqueue c -> enqueue(c);
            case EnqueueBatch c -> batch(c);
            case HoldRoom c -> RoomCodec.encode(c);
            case HoldBatch c -> new Encoded("hold-batch", hold(c));
            case EndHold c -> new Encoded("end-hold", endHold(c));
            case Fetch c -> new Encoded("fetch", fetch(c));
            case Decline c ->
                new Encoded(
                        "decline",
                        object().field("queues", c.queues()).endObject().toBytes());
            case Watch c ->
                new Encoded(
                        "watch",
                        atOnce(
                                        c.atOnce(),
                                        types(
                                                c.types(),
                                                object().field("queues", c.queues())
                                                        .field(
                                                                "wait_ms",
                                                                c.maxWait().toMillis())))
                                .endObject()
                                .toBytes());
            case GetQueue c -> named("get-queue", "queue", c.queue());
            case ConfigureQueue c -> new Encoded("configure-queue", configureQueue(c));
            case CreateQueue c ->
                new Encoded(
                        "create-queue",
                        set(object().field("queue", c.queue()), c.config())
                                .endObject()
                                .toBytes());
            case DeleteQueue c ->
                new Encoded(
                        "delete-queue",
                        object().field("queue", c.queue())
                                .field("strategy", c.strategy().wire())
                                .optional("target_queue", c.target())
                                .endObject()
                                .toBytes());
            case CountRefused c ->
                new Encoded(
                        "count-refused",
                        object().field("queue", c.queue())
                                .field("jobs", c.jobs())
                                .field("job_type", c.type())
                                .optional("tenant_id", c.tenant())
                                .endObject()
                                .toBytes());
            case UseKey c -> named("use-key", "key", c.offered());
            case CheckRoom c -> RoomCodec.encode(c);
            case CheckIds c ->
                new Encoded(
                        "check-ids",
                        object().field(
                                        "job_ids",
                                        c.ids().stream().map(JobId::toString).toList())
                                .endObject()
                                .toBytes());
            case Forward c -> new Encoded("forward", forward(c));
            case CountPriorities c -> named("count-priorities", "queue", c.queue());
            case Pause c -> named("pause", "queue", c.queue());
            case Resume c -> named("resume", "queue", c.queue());
            case Ack c ->
                new Encoded(
                        "ack",
                        job(c.job(), c.claimant())
                                .optionalRaw("result", c.result())
                                .endObject()
                                .toBytes());
            case Nack c -> new Encoded("nack", nack(c));
            case Progress c -> new Encoded("progress", progress(c));
            case Cancel c -> byId("cancel", c);
            case Activate c -> byId("activate", c);
            case GetJob c -> byId("get-job", c);
            case RetryDead c -> TransferCodec.encode(c);
            case DeleteDead c -> byId("delete-dead", c);
            case RetryJob c -> byId("retry-job", c);
            case DeleteJob c -> byId("delete-job", c);
            case SetPriority c ->
                new Encoded(
                        "set-priority",
                        object().field("job_id", c.job().toString())
                                .field("priority", c.priority())
                                .endObject()
                                .toBytes());
            case Beat c ->
                new Encoded(
                        "beat",
                        object().field("worker_id", c.worker())
                                .fieldRaw("about", c.about())
                                .endObject()
                                .toBytes());
            case Leave c -> named("leave", "worker_id", c.worker());
            case GetWorker c -> named("get-worker", "worker_id", c.worker());
            case LimitCommand c -> LimitCodec.encode(c);
            case Message.FreezeLimit m -> LimitCodec.encode(m);
            case Message.LimitChanged m -> LimitCodec.encode(m);
            case Message.PermitLetter m -> LimitCodec.encode(m);
            case Direct c ->
                new Encoded(
                        "direct-worker",
                        object().field("worker_id", c.worker())
                                .field("directive", c.directive().wire())
                                .endObject()
                                .toBytes());
            case Deregister c -> named("deregister-worker", "worker_id", c.worker());
            case AdminCommand c -> AdminCodec.encode(c);
            case Tick c -> new Encoded("tick", NOTHING);
            case Reset c ->
                new Encoded(
                        "reset",
                        object().optional("topic_id", c.topicId().isEmpty() ? null : c.topicId())
                                .endObject()
                                .toBytes());
            case Extend c -> new Encoded("extend", extend(c));
            case ListDead c ->
                new Encoded(
                        "list-dead",
                        object().optional("queue", c.queue())
                                .field("limit", c.limit())
                                .optional("after", c.after())
                                .endObject()
                                .toBytes());
            case Withdraw c -> new Encoded("withdraw", withdraw(c));
            case Upgrade c ->
                new Encoded(
                        "upgrade",
                        object().field("rules", c.rules())
                                .optional("topic_id", c.topicId().isEmpty() ? null : c.topicId())
                                .endObject()
                                .toBytes());
            case Configure c ->
                new Encoded(
                        "configure", c.settings().write(object()).endObject().toBytes());
            case Inspect c -> new Encoded("inspect", NOTHING);
            case Acknowledge c -> named("acknowledge-alarm", "code", c.code());
            case ListSetAside c ->
                new Encoded(
                        "list-set-aside",
                        object().field("limit", c.limit())
                                .optional("after", c.after())
                                .endObject()
                                .toBytes());
            case RetrySetAside c -> numbered("retry-set-aside", c.id());
            case DiscardSetAside c -> numbered("discard-set-aside", c.id());
            case ExpectJobs c -> MoveCodec.encode(c);
            case Expected c -> MoveCodec.encode(c);
            case MoveJobs c -> MoveCodec.encode(c);
            case EndMove c -> MoveCodec.encode(c);
            case Place c -> new Encoded("place", c.job());
            case Taken c -> named("taken", "job_id", c.job().toString());
            case Placed c -> named("placed", "job_id", c.job().toString());
            case Release c -> new Encoded("release", release(c));
            case Prepare c -> new Encoded("prepare", prepare(c));
            case Prepared c -> new Encoded("prepared", prepared(c));
            case HasRoom c ->
                new Encoded(
                        "has-room",
                        object().field("batch", c.batch())
                                .field("participant", c.participant().toString())
                                .endObject()
                                .toBytes());
            case Settle c ->
                new Encoded(
                        "settle",
                        object().field("batch", c.batch())
                                .field("coordinator", c.coordinator().toString())
                                .field("commit", c.commit())
                                .endObject()
                                .toBytes());
            case Leased c ->
                new Encoded(
                        "leased",
                        object().field("worker_id", c.worker())
                                .field("log", c.log().toString())
                                .endObject()
                                .toBytes());
            case WorkerLost c -> new Encoded("worker-lost", workerLost(c));
            case Unsettled c ->
                new Encoded(
                        "unsettled",
                        object().field("batch", c.batch())
                                .field("participant", c.participant().toString())
                                .endObject()
                                .toBytes());
            case Lost c ->
                new Encoded(
                        "messages-lost",
                        object().field("receiver", c.receiver().toString())
                                .field("first", c.first())
                                .field("last", c.last())
                                .endObject()
                                .toBytes());
            case Verify c ->
                new Encoded(
                        "verify",
                        passedOn(object().field("directory", c.directory().toString()), c.jobs()));
            case Missing c -> new Encoded("missing", passedOn(object(), c.jobs()));
            case Transfer c -> TransferCodec.encode(c);
            case Transferred c -> TransferCodec.encode(c);
            case HasCome c -> TransferCodec.encode(c);
            case Readdress c -> TransferCodec.encode(c);
            case Readdressed c -> TransferCodec.encode(c);
            case Defaults c -> new Encoded("defaults", defaults(c));
            case WantNumber c -> named("want-number", "log", c.receiver().toString());
            case LastNumber c -> named(LastNumber.OP, "log", c.sender().toString());
            case WantDefaults c -> named("want-defaults", "log", c.log().toString());
            case Undeliverable c ->
                new Encoded(
                        "undeliverable",
                        object().field("receiver", c.receiver().toString())
                                .field("sequence", c.sequence())
                                .field("op", c.op())
                                .fieldRaw("refusal", Reply.write(c.refusal()))
                                .endObject()
                                .toBytes());
        };
    }

    /** The reverse; a record without an operation is an enqueue. Whatever stands in the log, nothing else is thrown. */
    public static Command decode(@Nullable String op, byte @Nullable [] value) throws UnreadableCommand {
        if (value == null) throw new UnreadableCommand("The record has no value.");
        try {
            return switch (op) {
                case null -> new Enqueue(value, false);
                case "enqueue" -> new Enqueue(value, false);
                case "enqueue-new" -> new Enqueue(value, true);
                case "batch" -> new EnqueueBatch(Members.elements(value), false);
                case "batch-new" -> new EnqueueBatch(Members.elements(value), true);
                case "place" -> new Place(value);
                case "tick" -> new Tick();
                case Bundle.OP -> throw Bundle.unreadable(); // one that could be read is carried out part by part
                case Headers.TOO_LARGE ->
                    throw new UnreadableCommand("The record has more than %d bytes or %d headers."
                            .formatted(Topics.MAX_RECORD_BYTES, Topics.MAX_RECORD_HEADERS));
                case Headers.SKIPPED -> throw new UnreadableCommand("An operator has this record skipped.");
                case "inspect" -> new Inspect();
                case "permits" -> {
                    Limits.checkSize(op, value.length);
                    yield PermitRows.read(value);
                }
                default -> {
                    Limits.checkSize(op, value.length);
                    yield decode(op, JsonFields.of(value));
                }
            };
        } catch (MalformedJson malformed) {
            throw new UnreadableCommand(malformed.getMessage());
        } catch (JacksonException unreasonable) {
            throw new UnreadableCommand("The command cannot be read: " + unreasonable.getOriginalMessage());
        }
    }

    private static Command decode(String op, JsonFields in) throws UnreadableCommand, MalformedJson {
        return switch (op) {
            case "enqueue-waiting" -> new Enqueue(in.object("job"), in.flag("made_id"), in.millis("wait_ms"));
            case "batch-waiting" -> new EnqueueBatch(in.raws("jobs"), in.flag("made_ids"), in.millis("wait_ms"));
            case "hold-room" -> RoomCodec.holdRoom(in);
            case "hold-batch" ->
                new HoldBatch(
                        (int) in.natural("first"), in.raws("jobs"), in.flag("made_ids"), in.optionalNumber("room"));
            case "end-hold" -> new EndHold(in.numbers("parts"), in.flag("store"));
            case "fetch" ->
                new Fetch(
                        in.queues("queues"),
                        in.count("count", Fetch.MAX_COUNT),
                        in.optionalText("worker_id"),
                        in.optionalMillis("visibility_timeout_ms"),
                        in.millis("wait_ms"),
                        types(in),
                        in.flag("at_once"));
            case "watch" -> new Watch(in.queues("queues"), in.millis("wait_ms"), types(in), in.flag("at_once"));
            case "decline" -> new Decline(in.queues("queues"));
            case "get-queue" -> new GetQueue(in.text("queue"));
            case "configure-queue" ->
                new ConfigureQueue(
                        in.text("queue"),
                        QueueConfigCodec.read(in.fields("set")),
                        new LinkedHashSet<>(in.texts("unset")),
                        in.flag("must_exist"));
            case "create-queue" -> new CreateQueue(in.text("queue"), QueueConfigCodec.read(in.fields("set")));
            case "delete-queue" -> new DeleteQueue(in.text("queue"), deletion(in), in.optionalText("target_queue"));
            case "count-refused" ->
                new CountRefused(
                        in.text("queue"), in.natural("jobs"), in.text("job_type"), in.optionalText("tenant_id"));
            case "use-key" -> new UseKey(in.text("key"));
            case "check-room" -> RoomCodec.checkRoom(in);
            case "check-ids" -> new CheckIds(in.jobs("job_ids"));
            case "forward" -> forward(in);
            case "count-priorities" -> new CountPriorities(in.text("queue"));
            case "pause" -> new Pause(in.text("queue"));
            case "resume" -> new Resume(in.text("queue"));
            case "ack" -> new Ack(in.job("job_id"), claimant(in), in.optionalRaw("result"));
            case "nack" -> nack(in);
            case "progress" -> new Progress(in.job("job_id"), claimant(in), ProgressReport.read(in));
            case "cancel" -> new Cancel(in.job("job_id"));
            case "activate" -> new Activate(in.job("job_id"));
            case "get-job" -> new GetJob(in.job("job_id"));
            case "retry-dead" -> TransferCodec.retryDead(in);
            case "delete-dead" -> new DeleteDead(in.job("job_id"));
            case "retry-job" -> new RetryJob(in.job("job_id"));
            case "delete-job" -> new DeleteJob(in.job("job_id"));
            case "set-priority" -> new SetPriority(in.job("job_id"), in.priority("priority"));
            case "direct-worker" -> new Direct(in.text("worker_id"), Directive.read(in.text("directive")));
            case "deregister-worker" -> new Deregister(in.text("worker_id"));
            case "beat" -> new Beat(in.text("worker_id"), in.object("about"));
            case "leave" -> new Leave(in.text("worker_id"));
            case "get-worker" -> new GetWorker(in.text("worker_id"));
            case "extend" ->
                new Extend(
                        in.optionalText("worker_id"),
                        in.jobs("job_ids"),
                        in.optionalMillis("visibility_timeout_ms"),
                        in.flag("complete"));
            case "withdraw" -> new Withdraw(in.text("requester"), in.numbers("correlations"));
            case "reset" -> new Reset(in.has("topic_id") ? in.text("topic_id") : "");
            case "upgrade" -> new Upgrade(in.positive("rules"), in.has("topic_id") ? in.text("topic_id") : "");
            case "configure" -> new Configure(LogSettings.read(in));
            case "acknowledge-alarm" -> new Acknowledge(in.text("code"));
            case "list-set-aside" ->
                new ListSetAside(in.count("limit", ListSetAside.MAX_LIMIT), in.optionalText("after"));
            case "retry-set-aside" -> new RetrySetAside(in.number("id"));
            case "discard-set-aside" -> new DiscardSetAside(in.number("id"));
            case "list-dead" ->
                new ListDead(in.optionalText("queue"), in.count("limit", ListDead.MAX_LIMIT), in.optionalText("after"));
            case "expect-jobs" -> MoveCodec.expectJobs(in);
            case "expected" -> MoveCodec.expected(in);
            case "move-jobs" -> MoveCodec.moveJobs(in);
            case "end-move" -> new EndMove(in.log("source"), in.number("move"));
            case "taken" -> new Taken(in.job("job_id"));
            case "placed" -> new Placed(in.job("job_id"));
            case "release" -> new Release(in.job("job_id"), in.optionalRefusal("refusal"));
            case "prepare" ->
                new Prepare(
                        in.number("batch"),
                        in.log("coordinator"),
                        in.raws("jobs"),
                        in.claims("claims"),
                        turn(in),
                        in.has("demands") ? RoomCodec.read("demands", in) : List.of(),
                        in.optionalNumber("room"));
            case "prepared" ->
                new Prepared(
                        in.number("batch"),
                        in.log("participant"),
                        in.raws("tails"),
                        in.optionalRefusal("refusal"),
                        in.optionalNumber("place"));
            case "has-room" -> new HasRoom(in.number("batch"), in.log("participant"));
            case "settle" -> new Settle(in.number("batch"), in.log("coordinator"), in.flag("commit"));
            case "leased" -> new Leased(in.text("worker_id"), in.log("log"));
            case "worker-lost" -> new WorkerLost(in.text("worker_id"), in.flag("left"));
            case "unsettled" -> new Unsettled(in.number("batch"), in.log("participant"));
            case "messages-lost" -> new Lost(in.log("receiver"), in.number("first"), in.number("last"));
            case "verify" -> new Verify(in.log("directory"), in.passedOn("jobs"));
            case "missing" -> new Missing(in.passedOn("jobs"));
            case "transfer" -> TransferCodec.transfer(in);
            case "transferred" -> new Transferred(in.job("job_id"), in.text("queue"), in.optionalRefusal("refusal"));
            case "has-come" -> new HasCome(in.log("source"), in.job("job_id"), in.text("queue"));
            case "readdress" -> TransferCodec.readdress(in);
            case "readdressed" -> new Readdressed(in.job("job_id"), in.text("queue"));
            case "defaults" -> new Defaults(in.number("version"), QueueConfigCodec.read(in.fields("config")));
            case "want-number" -> new WantNumber(in.log("log"));
            case LastNumber.OP -> new LastNumber(in.log("log"));
            case "want-defaults" -> new WantDefaults(in.log("log"));
            case "undeliverable" ->
                new Undeliverable(in.log("receiver"), in.number("sequence"), in.text("op"), in.refusal("refusal"));
            case "get-limit",
                    "list-limits",
                    "count-limited",
                    "override-limit",
                    "end-override",
                    "limit-changed",
                    "freeze-limit" -> LimitCodec.decode(op, in);
            default -> AdminCodec.decode(op, in);
        };
    }

    private static @Nullable Turn turn(JsonFields in) throws UnreadableCommand {
        Duration left = in.optionalMillis("wait_ms");
        if (left == null) return null;
        return new Turn(in.flag("joins"), in.number("place"), left, in.millis("waited_ms"));
    }

    private static Claimant claimant(JsonFields in) throws UnreadableCommand {
        return new Claimant(in.optionalText("worker_id"), in.optionalNumber("lease"), in.optionalNumber("attempt"));
    }

    private static JsonOut object() {
        return new JsonOut().beginObject();
    }

    private static Encoded named(String op, String field, String value) {
        return new Encoded(op, object().field(field, value).endObject().toBytes());
    }

    private static Encoded byId(String op, JobCommand command) {
        return named(op, "job_id", command.job().toString());
    }

    private static JsonOut job(JobId job, Claimant claimant) {
        return object().field("job_id", job.toString())
                .optional("worker_id", claimant.worker())
                .optional("lease", claimant.lease())
                .optional("attempt", claimant.attempt());
    }

    private static byte[] progress(Progress progress) {
        JsonOut out = job(progress.job(), progress.claimant());
        progress.report().write(out);
        return out.endObject().toBytes();
    }

    private static byte[] nack(Nack nack) {
        JsonOut out = job(nack.job(), nack.claimant()).name("error").beginObject();
        nack.error().write(out);
        out.optional("rate_limit_until", nack.error().rateLimitUntil()).endObject();
        if (nack.requeue()) out.field("requeue", true);
        if (!nack.delay().isZero()) out.field("delay_ms", nack.delay().toMillis());
        return out.endObject().toBytes();
    }

    private static Nack nack(JsonFields in) throws UnreadableCommand {
        Duration delay = in.optionalMillis("delay_ms");
        return new Nack(
                in.job("job_id"),
                claimant(in),
                ErrorReport.read(in.node("error")),
                in.flag("requeue"),
                delay == null ? Duration.ZERO : delay);
    }

    private static Encoded enqueue(Enqueue command) {
        if (command.maxWait().isZero()) return new Encoded(command.madeId() ? "enqueue-new" : "enqueue", command.job());
        JsonOut out = object().field("made_id", command.madeId()).fieldRaw("job", command.job());
        return waiting("enqueue-waiting", command, out);
    }

    private static Encoded batch(EnqueueBatch command) {
        if (command.maxWait().isZero())
            return new Encoded(command.madeIds() ? "batch-new" : "batch", array(command.jobs()));
        JsonOut out = object().field("made_ids", command.madeIds()).fieldRaw("jobs", array(command.jobs()));
        return waiting("batch-waiting", command, out);
    }

    private static Encoded waiting(String op, Patient command, JsonOut out) {
        return new Encoded(
                op,
                out.field("wait_ms", command.maxWait().toMillis()).endObject().toBytes());
    }

    private static byte[] forward(Forward command) {
        JsonOut out = object().field("queue", command.queue())
                .field("topic_id", command.inlet().topicId())
                .field("partition", command.inlet().partition())
                .field("from", command.from())
                .field("offset", command.offset())
                .field("begins", command.begins())
                .field("appended_ms", command.appended().toEpochMilli());
        if (command.maxWait() != null) out.field("wait_ms", command.maxWait().toMillis());
        if (command.wrong() != null) out.fieldRaw("refusal", Reply.write(command.wrong()));
        SignedRequest request = command.request();
        if (request != null) {
            out.name("request")
                    .beginObject()
                    .field("reply_to", request.replyTo().toString())
                    .optional("by", request.by());
            if (request.madeId()) out.field("made_id", true);
            out.field("signature", request.signature()).endObject();
        }
        return out.optionalRaw("job", command.job()).endObject().toBytes();
    }

    private static @Nullable SignedRequest request(JsonFields in) throws UnreadableCommand, MalformedJson {
        if (in.node("request") == null) return null;
        JsonFields request = in.fields("request");
        try {
            return new SignedRequest(
                    ReplyTo.parse(request.text("reply_to")),
                    request.optionalText("by"),
                    request.flag("made_id"),
                    request.text("signature"));
        } catch (IllegalArgumentException noAddress) {
            throw new UnreadableCommand("'reply_to' is no reply address.");
        }
    }

    private static Forward forward(JsonFields in) throws UnreadableCommand, MalformedJson {
        Inlet inlet = new Inlet(in.text("queue"), in.text("topic_id"), (int) in.natural("partition"));
        return new Forward(
                inlet,
                in.natural("from"),
                in.natural("offset"),
                in.flag("begins"),
                Instant.ofEpochMilli(in.natural("appended_ms")),
                in.optionalMillis("wait_ms"),
                in.optionalRaw("job"),
                in.optionalRefusal("refusal"),
                request(in));
    }

    private static byte[] configureQueue(ConfigureQueue command) {
        JsonOut out = set(object().field("queue", command.queue()), command.set())
                .field("unset", command.unset().stream().sorted().toList());
        if (command.mustExist()) out.field("must_exist", true);
        return out.endObject().toBytes();
    }

    private static JsonOut set(JsonOut out, QueueConfig set) {
        QueueConfigCodec.write(set, out.name("set").beginObject());
        return out.endObject();
    }

    private static Deletion deletion(JsonFields in) throws UnreadableCommand {
        String strategy = in.text("strategy");
        return Deletion.parse(strategy)
                .orElseThrow(() -> new UnreadableCommand(
                        "There is no strategy '%s' to delete a queue.".formatted(Limits.echo(strategy))));
    }

    private static byte[] defaults(Defaults message) {
        JsonOut out =
                object().field("version", message.version()).name("config").beginObject();
        QueueConfigCodec.write(message.config(), out);
        return out.endObject().endObject().toBytes();
    }

    private static byte[] hold(HoldBatch part) {
        JsonOut out = object().field("first", part.first()).fieldRaw("jobs", array(part.jobs()));
        if (part.madeIds()) out.field("made_ids", true);
        return out.optional("room", part.room()).endObject().toBytes();
    }

    private static byte[] endHold(EndHold end) {
        JsonOut out = object().name("parts").beginArray();
        end.parts().forEach(out::value);
        return out.endArray().field("store", end.store()).endObject().toBytes();
    }

    private static byte[] fetch(Fetch fetch) {
        JsonOut out = object().field("queues", fetch.queues())
                .field("count", fetch.count())
                .optional("worker_id", fetch.worker())
                .optional("visibility_timeout_ms", millis(fetch.visibility()))
                .field("wait_ms", fetch.maxWait().toMillis());
        return atOnce(fetch.atOnce(), types(fetch.types(), out)).endObject().toBytes();
    }

    private static JsonOut atOnce(boolean now, JsonOut out) {
        return now ? out.field("at_once", true) : out;
    }

    private static JsonOut types(JobTypes types, JsonOut out) {
        return types.areAll() ? out : out.field(types.excluded() ? "exclude_types" : "types", types.names());
    }

    private static JobTypes types(JsonFields in) throws UnreadableCommand {
        boolean some = in.node("types") != null;
        boolean others = in.node("exclude_types") != null;
        if (some && others) throw new UnreadableCommand("Either 'types' or 'exclude_types' is there.");
        if (some) return JobTypes.only(in.texts("types"));
        return others ? JobTypes.allBut(in.texts("exclude_types")) : JobTypes.ALL;
    }

    private static byte[] extend(Extend extend) {
        JsonOut out = object().optional("worker_id", extend.worker())
                .field("job_ids", extend.jobs().stream().map(JobId::toString).toList())
                .optional("visibility_timeout_ms", millis(extend.visibility()));
        if (extend.complete()) out.field("complete", true);
        return out.endObject().toBytes();
    }

    private static byte[] withdraw(Withdraw withdraw) {
        JsonOut out = object().field("requester", withdraw.requester())
                .name("correlations")
                .beginArray();
        withdraw.correlations().forEach(out::value);
        return out.endArray().endObject().toBytes();
    }

    private static Encoded numbered(String op, long id) {
        return new Encoded(op, object().field("id", id).endObject().toBytes());
    }

    private static byte[] passedOn(JsonOut out, List<PassedOn> jobs) {
        out.name("jobs").beginArray();
        for (PassedOn job : jobs) {
            out.beginObject().field("job_id", job.job().toString()).field("claim", job.claim());
            if (job.alone()) out.field("alone", true);
            out.endObject();
        }
        return out.endArray().endObject().toBytes();
    }

    private static byte[] workerLost(WorkerLost lost) {
        JsonOut out = object().field("worker_id", lost.worker());
        if (lost.left()) out.field("left", true);
        return out.endObject().toBytes();
    }

    private static byte[] release(Release release) {
        JsonOut out = object().field("job_id", release.job().toString());
        Refusal refusal = release.refusal();
        if (refusal != null) out.fieldRaw("refusal", Reply.write(refusal));
        return out.endObject().toBytes();
    }

    private static byte[] prepare(Prepare prepare) {
        JsonOut out = object().field("batch", prepare.batch())
                .field("coordinator", prepare.coordinator().toString())
                .fieldRaw("jobs", array(prepare.jobs()))
                .name("claims")
                .beginArray();
        for (Claim claim : prepare.claims())
            out.beginObject()
                    .field("job_id", claim.job().toString())
                    .field("queue", claim.queue())
                    .endObject();
        out.endArray();
        Turn turn = prepare.turn();
        if (turn != null)
            out.field("wait_ms", turn.left().toMillis())
                    .field("waited_ms", turn.waited().toMillis())
                    .field("place", turn.place())
                    .field("joins", turn.joins());
        if (!prepare.demands().isEmpty()) RoomCodec.write("demands", prepare.demands(), out);
        return out.optional("room", prepare.room()).endObject().toBytes();
    }

    private static byte[] prepared(Prepared prepared) {
        JsonOut out = object().field("batch", prepared.batch())
                .field("participant", prepared.participant().toString())
                .fieldRaw("tails", array(prepared.tails()));
        Refusal refusal = prepared.refusal();
        if (refusal != null) out.fieldRaw("refusal", Reply.write(refusal));
        return out.optional("place", prepared.place()).endObject().toBytes();
    }

    private static byte[] array(List<byte[]> elements) {
        int size = elements.stream().mapToInt(e -> e.length + 1).sum();
        JsonOut out = new JsonOut(size + 2).beginArray();
        elements.forEach(out::raw);
        return out.endArray().toBytes();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : (Long) duration.toMillis();
    }
}
