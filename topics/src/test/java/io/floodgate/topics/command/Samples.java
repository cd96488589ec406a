package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.DeadLetterMove;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.HasRoom;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.PassedOn;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.command.Message.PermitUse;
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
import io.floodgate.topics.command.MoveMessage.CountJobs;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.MoveMessage.MoveJobs;
import io.floodgate.topics.command.MoveMessage.MovedJob;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.TenantMessage.AskGrants;
import io.floodgate.topics.command.TenantMessage.GiveGrants;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.command.TenantMessage.TenantBound;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.SchemaMode;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.queue.TenantResource;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.unique.OnConflict;
import io.floodgate.topics.unique.UniquePolicy;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** At least one of every command, by the name of its golden file; a new command without a sample fails a test. */
final class Samples {
    static final JobId JOB = JobId.parse("019539a4-b68c-7def-8000-1a2b3c4d5e6f").orElseThrow();
    static final JobId OTHER =
            JobId.parse("019539a4-b68d-7abc-b000-000000000001").orElseThrow();
    private static final PartitionId LOG = new PartitionId(3);
    private static final Claimant CLAIMANT = new Claimant("w-1", 4711L);
    private static final QueuePolicy POLICY = new QueuePolicy(
            new JobDefaults(
                    Duration.ofSeconds(60),
                    Duration.ofMillis(2_500),
                    new RetryOptions(
                            5,
                            Duration.ofSeconds(1),
                            Duration.ofHours(1),
                            3.5,
                            Backoff.LINEAR,
                            false,
                            List.of("auth.*"),
                            true),
                    true),
            new Keeping(Duration.ofDays(1), Duration.ofDays(90), Duration.ZERO, 10L, 20L, 0L),
            new DeadLettering("email-dlq", 1_000L, Duration.ofDays(30)),
            new Access(List.of("email.*"), List.of("*")));
    private static final byte[] JOB_JSON = json("{\"type\":\"email.send\",\"args\":[1.10,\"é\"],\"queue\":\"email\"}");

    private Samples() {}

    static byte[] json(String text) {
        return text.getBytes(UTF_8);
    }

    static Map<String, Command> commands() {
        Map<String, Command> samples = new LinkedHashMap<>();
        samples.put("enqueue", new Enqueue(JOB_JSON, false));
        samples.put("enqueue-new", new Enqueue(JOB_JSON, true));
        samples.put("batch", new EnqueueBatch(List.of(JOB_JSON, JOB_JSON), false));
        samples.put("batch-new", new EnqueueBatch(List.of(JOB_JSON), true));
        samples.put("batch-empty", new EnqueueBatch(List.of(), false));
        samples.put("enqueue-waiting", new Enqueue(JOB_JSON, true, Duration.ofSeconds(30)));
        samples.put("batch-waiting", new EnqueueBatch(List.of(JOB_JSON), false, Duration.ofMillis(1_500)));
        samples.put("placed", new Placed(JOB));
        samples.put("taken", new Taken(JOB));
        samples.put("stage-batch", new HoldBatch(500, List.of(JOB_JSON, JOB_JSON), true));
        samples.put("stage-batch-room", new HoldBatch(0, List.of(JOB_JSON), false, 16L));
        samples.put(
                "reserve-capacity",
                new HoldRoom(
                        List.of(
                                new QueueDemand("a", 700, 90_000, "x", Map.of("acme", 500L, "_default", 200L)),
                                new QueueDemand("b", 1, 90, "y", Map.of())),
                        Duration.ofSeconds(30)));
        samples.put("stage-batch-least", new HoldBatch(0, List.of(JOB_JSON), false));
        samples.put("end-stage", new EndHold(List.of(17L, 18L), true));
        samples.put("end-stage-drop", new EndHold(List.of(17L), false));
        samples.put("fetch", new Fetch(List.of("a", "b"), 7, "w-1", Duration.ofSeconds(30), Duration.ofMillis(1_500)));
        samples.put("fetch-least", new Fetch(List.of("a"), 1, null, null, Duration.ZERO));
        samples.put(
                "fetch-types",
                new Fetch(
                        List.of("a"),
                        1,
                        null,
                        null,
                        Duration.ZERO,
                        WantedJobs.only(List.of("email.send", "sms.send"))));
        samples.put(
                "fetch-versions",
                new Fetch(
                        List.of("a"),
                        1,
                        null,
                        null,
                        Duration.ZERO,
                        acceptingVersions(WantedJobs.only(List.of("a.b")))));
        WantedJobs ofTenants = WantedJobs.only(List.of("email.send")).ofTenants(List.of("acme", "_default"));
        samples.put("fetch-tenants", new Fetch(List.of("a"), 3, "w-1", null, Duration.ofSeconds(20), ofTenants));
        samples.put("watch-tenants", new Watch(List.of("a"), Duration.ZERO, WantedJobs.ALL.ofTenants(List.of("acme"))));
        samples.put("watch-versions", new Watch(List.of("a"), Duration.ZERO, acceptingVersions(WantedJobs.ALL)));
        samples.put("fetch-at-once", new Fetch(List.of("a"), 3, "w-1", null, Duration.ZERO).atOnce(true));
        samples.put("watch-at-once", new Watch(List.of("a"), Duration.ZERO, WantedJobs.ALL, true));
        samples.put("watch-types", new Watch(List.of("a"), Duration.ZERO, WantedJobs.allBut(List.of("email.send"))));
        samples.put("watch", new Watch(List.of("a", "b"), Duration.ofSeconds(20)));
        samples.put("decline", new Decline(List.of("a", "b")));
        Allowance five = new Allowance(5L, new Pace(100, Duration.ofMinutes(1)), null);
        Instant until = Instant.parse("2026-02-13T12:05:00Z");
        samples.put("get-limit", new GetLimit("stripe-api"));
        samples.put("list-limits", new ListLimits(20, "acme"));
        samples.put("list-limits-least", new ListLimits(20, null));
        samples.put("count-limited", new CountLimited(List.of("a", "tenant:acme-corp")));
        samples.put("override-limit", new OverrideLimit("stripe-api", five, until));
        samples.put("override-limit-least", new OverrideLimit("stripe-api", Allowance.UNLIMITED, null));
        samples.put("end-override", new EndOverride("stripe-api"));
        AskPermits ask = new AskPermits(
                "k",
                PartitionId.parse("ojs.commands/3"),
                7,
                five,
                17,
                true,
                40,
                3,
                8,
                true,
                List.of(1_000L, 2_000L),
                List.of(new PermitUse(2_000, 2_005, 3), new PermitUse(3_000, 3_000, 1)),
                6);
        AskPermits least = new AskPermits(
                "k",
                PartitionId.parse("ojs.commands/3"),
                7,
                Allowance.UNLIMITED,
                17,
                false,
                0,
                0,
                0,
                false,
                List.of(),
                List.of(),
                6);
        GivePermits give = new GivePermits(
                "k", 7, 42, 2, 1_000, 200, 1, new Held(Strategy.RATE, 100, 100, until), true, true, true, true, 5);
        samples.put("permits", new PermitMessage(List.of(ask, least), List.of(give)));
        samples.put(
                "permits-on-arrival",
                new PermitMessage(
                        List.of(ask.with(List.of(), List.of(new PermitUse(4_000, PermitUse.ON_ARRIVAL, 2)))),
                        List.of()));
        samples.put(
                "permits-gives-only",
                new PermitMessage(
                        List.of(),
                        List.of(
                                new GivePermits("k", 7, 42, 0, 0, 0, 1, null, false, false, false, false, 0),
                                new GivePermits(
                                        "k",
                                        7,
                                        42,
                                        0,
                                        0,
                                        0,
                                        1,
                                        new Held(Strategy.CONCURRENCY, 5, 5, null),
                                        true,
                                        false,
                                        false,
                                        false,
                                        0))));
        samples.put("limit-changed", new LimitChanged("k@tenant:acme"));
        samples.put("freeze-limit", new FreezeLimit("k", until, "429"));
        samples.put("get-queue", new GetQueue("email"));
        samples.put("explain-queue", new ExplainQueue("email"));
        samples.put(
                "configure-queue",
                new ConfigureQueue("email", new QueueConfig(50_000L, 0L, Overflow.DROP_OLDEST, 0.75), Set.of()));
        samples.put(
                "configure-queue-limits",
                new ConfigureQueue(
                        "email",
                        QueueConfig.of(new Allowance(
                                20L, new Pace(1_000, Duration.ofHours(1)), new Pace(10, Duration.ofMillis(1_500)))),
                        Set.of()));
        samples.put(
                "configure-queue-tenants",
                new ConfigureQueue(
                        "email",
                        QueueConfig.of(new TenantBounds(Map.of("acme-corp", 50_000L, TenantBounds.OTHERS, 100L))),
                        Set.of("tenants.beta")));
        samples.put(
                "configure-queue-policy",
                new ConfigureQueue("email", QueueConfig.of(POLICY), Set.of("default_retry.jitter")));
        samples.put(
                "configure-queue-order",
                new ConfigureQueue(
                        "email",
                        QueueConfig.of(
                                QueuePolicy.NONE.with(new KeyOrder("meta.order_id", true, Duration.ofMinutes(10)))),
                        Set.of()));
        samples.put(
                "configure-queue-fairness",
                new ConfigureQueue(
                        "email",
                        QueueConfig.of(QueuePolicy.NONE.with(TenantFairness.of(Map.of("acme", 3L)))),
                        Set.of()));
        samples.put(
                "configure-queue-unfair",
                new ConfigureQueue(
                        "email", QueueConfig.of(QueuePolicy.NONE.with(TenantFairness.OFF)), Set.of("tenants")));
        samples.put("configure-queue-unset", new ConfigureQueue("email", QueueConfig.NONE, Set.of("max_depth")));
        samples.put("count-rejected", new CountRejected("email", 4_711, "email.send", null));
        samples.put("count-rejected-tenant", new CountRejected("email", 4_711, "email.send", "acme"));
        samples.put(
                "probe-capacity", new CheckRoom(new QueueDemand("email", 3, 900, "email.send", Map.of("acme", 3L))));
        samples.put("check-ids", new CheckIds(List.of(JOB)));
        samples.put("check-keys", new KeyCommand.CheckKeys(List.of("0f".repeat(32))));
        samples.put("open-ingress", new OpenIngress(new Ingress("email", "x3Tq", 2), 0));
        samples.put(
                "open-ingress-of-source",
                new OpenIngress(new Ingress("email", "x3Tq", 2, new Ingress.Reading("orders", 7)), 40));
        samples.put("use-key", new UseKey("email", "0f".repeat(32)));
        Ingress ingress = new Ingress("email", "6Yk3RvhHRaKIbJZ1hcNJGg", 2);
        samples.put(
                "forward",
                new Forward(
                        ingress,
                        41,
                        42,
                        false,
                        Instant.ofEpochMilli(1_000),
                        Duration.ofSeconds(5),
                        json("{\"type\":\"a\"}"),
                        null));
        samples.put(
                "forward-request",
                new Forward(
                        ingress,
                        41,
                        42,
                        false,
                        Instant.ofEpochMilli(1_000),
                        Duration.ZERO,
                        json("{\"type\":\"a\"}"),
                        null,
                        new SignedRequest(new ReplyTo(3, "me", 17), "{\"name\":\"key\"}", true, "0f".repeat(32))));
        samples.put(
                "forward-schema-fault",
                new Forward(
                        ingress,
                        41,
                        42,
                        false,
                        Instant.ofEpochMilli(1_000),
                        null,
                        json("{\"type\":\"a\"}"),
                        null,
                        null,
                        new Forward.SchemaFault(ingress.reject("other"), SchemaMode.WARN)));
        samples.put(
                "forward-wrong",
                new Forward(ingress, 7, 7, true, Instant.ofEpochMilli(1_000), null, null, ingress.reject("other")));
        samples.put("create-queue", new CreateQueue("email", new QueueConfig(10L, null, Overflow.BLOCK, 0.5)));
        samples.put("create-queue-least", new CreateQueue("email", QueueConfig.NONE));
        samples.put("delete-queue", new DeleteQueue("email", Deletion.DISCARD));
        samples.put("delete-queue-move", new DeleteQueue("email", Deletion.MOVE, "mail"));
        samples.put("pause", new Pause("email"));
        samples.put("pause-reason", new Pause("email", "the mail server is down"));
        samples.put("resume", new Resume("email"));
        samples.put("ack", new Ack(JOB, CLAIMANT, json("{\"sum\":1.10}")));
        samples.put("ack-least", new Ack(JOB, Claimant.UNNAMED, null));
        samples.put("ack-text", new Ack(JOB, new Claimant("w-1", null), json("\"é\"")));
        samples.put(
                "nack",
                new Nack(
                        JOB,
                        CLAIMANT,
                        new ErrorReport(
                                "smtp.refused", "handler_error", "550 \"no\"\nlater", false, json("{\"a\":[1]}")),
                        false));
        samples.put("ack-attempt", new Ack(JOB, new Claimant("w-1", 4711L, 2L), null));
        samples.put("nack-requeue", new Nack(JOB, Claimant.UNNAMED, ErrorReport.of("shutdown", ""), true));
        samples.put(
                "nack-requeue-later",
                Nack.giveBack(JOB, Claimant.UNNAMED, ErrorReport.of("breaker_open", ""), Duration.ofSeconds(30)));
        samples.put(
                "progress",
                new Progress(
                        JOB,
                        CLAIMANT,
                        new ProgressReport(0.47, "half", json("{\"row\":14}"), json("{\"state\":{\"at\":14}}"))));
        samples.put("progress-least", new Progress(JOB, Claimant.UNNAMED, ProgressReport.of(2)));
        samples.put(
                "progress-checkpoint", new Progress(JOB, CLAIMANT, ProgressReport.checkpoint(json("{\"at\":14}"), 3L)));
        samples.put("drop-checkpoint", new JobCommand.DropCheckpoint(JOB, CLAIMANT));
        samples.put("cancel", new Cancel(JOB));
        samples.put("activate", new Activate(JOB));
        samples.put("skip-job", new JobCommand.SkipJob(JOB));
        samples.put("get-job", new GetJob(JOB));
        samples.put("retry-dead", new RetryDead(JOB));
        samples.put("delete-dead", new DeleteDead(JOB));
        samples.put("retry-job", new JobCommand.RetryJob(JOB));
        samples.put("delete-job", new JobCommand.DeleteJob(JOB));
        samples.put("count-priorities", new QueueCommand.CountPriorities("email"));
        samples.put("set-priority", new JobCommand.SetPriority(JOB, -7));
        samples.put("direct-worker", new WorkerCommand.Direct("w-1", WorkerCommand.Directive.QUIET));
        samples.put("deregister-worker", new WorkerCommand.Deregister("w-1"));
        administration(samples);
        samples.put("beat", new Beat("w-1", json("{\"hostname\":\"h\",\"queues\":[\"a\"],\"concurrency\":10}")));
        samples.put("beat-least", new Beat("w-1", json("{}")));
        samples.put("leave", new Leave("w-1"));
        samples.put("get-worker", new GetWorker("w-1"));
        samples.put("tick", new Tick());
        samples.put("reset", new Reset());
        samples.put("extend", new Extend("w-1", List.of(JOB, OTHER), Duration.ofMinutes(1)));
        samples.put("extend-least", new Extend(null, List.of(), null));
        samples.put("extend-complete", new Extend("w-1", List.of(JOB), null, true));
        samples.put("withdraw", new Withdraw("gateway-1", List.of(1L, 4711L)));
        samples.put("withdraw-all", new Withdraw("gateway-1", List.of()));
        samples.put("upgrade", new Upgrade(2));
        samples.put(
                "configure",
                new Configure(new PartitionSettings(
                        Duration.ofDays(1), Duration.ofDays(2), Duration.ofHours(3), Duration.ofMinutes(4), 1L << 33)));
        samples.put("configure-strict", new Configure(PartitionSettings.INITIAL.withStrictQueues()));
        samples.put("inspect", new Inspect());
        samples.put("acknowledge-alarm", new Acknowledge("commands_lost"));
        samples.put("list-quarantined", new ListQuarantined(50, "cursor"));
        samples.put("list-quarantined-least", new ListQuarantined(1, null));
        samples.put("retry-quarantined", new RetryQuarantined(17));
        samples.put("discard-quarantined", new DiscardQuarantined(17));
        samples.put("list-dead", new ListDead("email", 50, "cursor"));
        samples.put("list-dead-least", new ListDead(null, 1, null));
        samples.put("store-claimed", new Place(JOB_JSON));
        samples.put("announce-move", new ExpectJobs(LOG, 17, "email", "mail", 42, 4711, null));
        JobCounts counts = new JobCounts(new TreeMap<>(Map.of("email.send", 42L)), new TreeMap<>(Map.of("acme", 42L)));
        samples.put("announce-move-counted", new ExpectJobs(LOG, 17, "email", "mail", 42, 4711, counts));
        samples.put("count-jobs", new CountJobs(17, "email"));
        samples.put("expected", new Expected(LOG, 17, "email", null));
        samples.put("expected-rejected", new Expected(LOG, 17, "email", Rejection.of(ErrorCode.CONFLICT, "full")));
        samples.put(
                "move-jobs",
                new MoveJobs(
                        LOG,
                        17,
                        "email",
                        "mail",
                        List.of(
                                new MovedJob(JOB, new byte[] {1, -1}, json("{\"id\":\"a\"}"), Past.NONE, null),
                                new MovedJob(OTHER, new byte[] {2}, json("{}"), new Past(new byte[] {3}, null), 7L))));
        samples.put("end-move", new EndMove(LOG, 17));
        samples.put("release", new Release(JOB, Rejection.notFound("queue", "email")));
        samples.put("release-silent", new Release(JOB, null));
        samples.put(
                "prepare",
                new Prepare(17, LOG, List.of(JOB_JSON), List.of(new Claim(JOB, "email"), new Claim(OTHER, "a"))));
        samples.put("prepare-least", new Prepare(Long.MAX_VALUE, LOG, List.of(), List.of()));
        Turn turn = new Turn(true, 4711, Duration.ofMillis(1_500), Duration.ofMillis(28_500));
        samples.put("prepare-in-turn", new Prepare(17, LOG, List.of(JOB_JSON), List.of()).on(turn));
        samples.put("prepare-in-room", new Prepare(17, LOG, List.of(JOB_JSON), List.of()).in(16L));
        samples.put(
                "prepare-demands",
                new Prepare(16, LOG, List.of(new QueueDemand("a", 700, 90_000, "x", Map.of("acme", 1L)))).on(turn));
        samples.put("prepared-in-line", new Prepared(17, LOG, List.of(), null, 4711L));
        samples.put("has-capacity", new HasRoom(17, LOG));
        samples.put("prepared", new Prepared(17, LOG, List.of(json("{\"queue\":\"email\"}")), null));
        samples.put("prepared-rejected", new Prepared(17, LOG, List.of(), Rejection.of(ErrorCode.DUPLICATE, "taken")));
        samples.put("settle", new Settle(17, LOG, true));
        samples.put("settle-abort", new Settle(17, LOG, false));
        samples.put(
                "prepare-replacing",
                new Prepare(17, LOG, List.of(JOB_JSON), List.of())
                        .replacing(List.of(new Message.Replaced(OTHER, JOB, 15))));
        unique(samples);
        samples.put("leased", new Leased("w-1", new PartitionId(0)));
        samples.put("worker-lost", new WorkerLost("w-1", WorkerLost.Why.SILENT));
        samples.put("worker-lost-left", new WorkerLost("w-1", WorkerLost.Why.LEFT));
        samples.put("worker-lost-deregistered", new WorkerLost("w-1", WorkerLost.Why.DEREGISTERED));
        samples.put("unsettled", new Unsettled(17, LOG));
        samples.put("messages-lost", new Lost(LOG, 5, 9));
        samples.put("verify", new Verify(LOG, List.of(new PassedOn(JOB, 5, true), new PassedOn(OTHER, 0, false))));
        samples.put("missing", new Missing(List.of(new PassedOn(JOB, 5, false))));
        samples.put(
                "retry-dead-override",
                new RetryDead(JOB, new Overrides("other", -5, json("[1.10]"), json("{\"a\":1}"), RetryOptions.NONE)));
        samples.put(
                "transfer",
                new Transfer(
                        LOG,
                        "email",
                        "email-dlq",
                        JOB,
                        new byte[] {1, -1, 0},
                        JOB_JSON,
                        new Past(new byte[] {7}, null),
                        new DeadLetterMove("timeout", 100L, Duration.ofDays(30)),
                        7L));
        samples.put(
                "transfer-least",
                new Transfer(LOG, "email", "email-dlq", JOB, new byte[] {1}, JOB_JSON, Past.NONE, null, 0L));
        samples.put(
                "transfer-progress",
                new Transfer(
                        LOG,
                        "email",
                        "email-dlq",
                        JOB,
                        new byte[] {1},
                        JOB_JSON,
                        new Past(null, new byte[] {7, -7}),
                        null,
                        null));
        samples.put("transferred", new Transferred(JOB, "email-dlq", null, 7L));
        samples.put(
                "transferred-rejected",
                new Transferred(JOB, "email-dlq", Rejection.of(ErrorCode.QUEUE_FULL, "full"), null));
        samples.put("has-come", new HasCome(LOG, JOB, "email-dlq"));
        samples.put("readdress", new Readdress(LOG, JOB, "email-dlq", 2));
        samples.put("readdressed", new Readdressed(JOB, "email-dlq"));
        samples.put("defaults", new Defaults(17, QueueConfig.of(POLICY)));
        samples.put("want-defaults", new WantDefaults(LOG));
        samples.put("want-number", new WantNumber(LOG));
        samples.put("last-number", new LastNumber(LOG));
        samples.put("upgrade-of-a-topic", new Upgrade(3, "topic-1"));
        samples.put(
                "undeliverable", new Undeliverable(LOG, 9, "explode", Rejection.of(ErrorCode.INVALID_PAYLOAD, "no")));
        return samples;
    }

    /** One rejection for every code, and those with details. */
    static Map<String, Rejection> rejections() {
        Map<String, Rejection> samples = new LinkedHashMap<>();
        for (ErrorCode code : ErrorCode.values())
            samples.put(
                    code.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), Rejection.of(code, "Because."));
        samples.put("with-details", Rejection.notFound("job", "\"é\"\n").with("size_bytes", 1_048_577));
        return samples;
    }

    private static void administration(Map<String, Command> samples) {
        JobFilter filter = JobFilter.of(JobState.DISCARDED, JobState.CANCELLED)
                .inQueue("email")
                .ofType("email.*")
                .takenIn(Instant.parse("2026-02-12T10:00:00Z"), Instant.parse("2026-02-13T10:00:00Z"))
                .withPriority(5)
                .ofTenant("acme");
        samples.put("list-jobs", new AdminCommand.ListJobs(filter, true, 20, JOB));
        samples.put(
                "list-jobs-failed", new AdminCommand.ListJobs(JobFilter.of().failedWith("timeout"), false, 20, null));
        samples.put("list-jobs-least", new AdminCommand.ListJobs(JobFilter.of(), false, 1, null));
        samples.put("list-workers", new AdminCommand.ListWorkers(50, "w-1"));
        samples.put("list-tenants", new AdminCommand.ListTenants(50, "acme"));
        samples.put("get-tenant", new AdminCommand.GetTenant("acme"));
        samples.put("list-leases", new AdminCommand.ListLeases("w-1", 50));
        samples.put("begin-bulk", new AdminCommand.BeginBulk("op-1", AdminCommand.BulkAction.RETRY, filter));
        samples.put("get-bulk", new AdminCommand.GetBulk("op-1"));
        samples.put("stop-bulk", new AdminCommand.StopBulk("op-1"));
        samples.put("maintain", new AdminCommand.Maintain(true, "a new disk", Instant.parse("2026-02-12T10:30:00Z")));
        samples.put("maintain-least", new AdminCommand.Maintain(false, null, null));
    }

    private static void unique(Map<String, Command> samples) {
        String key = "0123456789abcdef".repeat(4);
        Instant at = Instant.ofEpochMilli(1_767_225_600_000L);
        UniquePolicy policy = new UniquePolicy(key, true, 31, Duration.ofHours(1), OnConflict.REPLACE);
        UniquePolicy least = new UniquePolicy(key, false, 31, null, OnConflict.REJECT);
        samples.put(
                "claim-keys",
                new UniqueMessage.ClaimKeys(
                        17,
                        LOG,
                        true,
                        List.of(
                                new UniqueMessage.KeyClaim(0, JOB, "email", policy),
                                new UniqueMessage.KeyClaim(3, OTHER, "a", least))));
        samples.put(
                "keys-claimed",
                new UniqueMessage.KeysClaimed(
                        17,
                        LOG,
                        List.of(
                                new UniqueMessage.KeyVerdict(0, true, OTHER, LOG, JobState.ACTIVE, null),
                                new UniqueMessage.KeyVerdict(3, false, OTHER, LOG, JobState.SCHEDULED, at)),
                        null));
        samples.put(
                "keys-claimed-rejected",
                new UniqueMessage.KeysClaimed(17, LOG, List.of(), Rejection.of(ErrorCode.DUPLICATE, "taken")));
        samples.put("ask-holder", new UniqueMessage.AskHolder(LOG, "3#17", JOB, 1));
        samples.put(
                "holder-said",
                new UniqueMessage.HolderSaid(
                        "3#17",
                        JOB,
                        new UniqueMessage.Holder(
                                JOB,
                                LOG,
                                JobState.SCHEDULED,
                                at,
                                at.plusMillis(5),
                                at.plusSeconds(9),
                                UniqueMessage.Holder.Phase.RESERVED,
                                true)));
        samples.put("holder-said-gone", new UniqueMessage.HolderSaid("3#17", JOB, null));
        samples.put("cancel-holder", new UniqueMessage.CancelHolder(17, LOG, JOB, OTHER, 31, 0));
        samples.put("holder-cancelled", new UniqueMessage.HolderCancelled(17, JOB));
        samples.put(
                "tell-keys",
                new UniqueMessage.TellKeys(
                        LOG,
                        List.of(
                                new UniqueMessage.KeyNote(
                                        key,
                                        JOB,
                                        1,
                                        JobState.COMPLETED,
                                        false,
                                        at,
                                        63,
                                        Duration.ofHours(1),
                                        "tenant:acme"),
                                new UniqueMessage.KeyNote(
                                        key, OTHER, 2, JobState.DISCARDED, true, at, 31, null, null))));
        samples.put("get-key", new KeyCommand.GetKey(key));
        samples.put("list-keys", new KeyCommand.ListKeys(20, key));
        samples.put("list-keys-least", new KeyCommand.ListKeys(20, null));
        samples.put("release-key", new KeyCommand.ReleaseKey(key, JOB));
        samples.put("release-key-least", new KeyCommand.ReleaseKey(key, null));
        samples.put("set-tenant-bound", new SetTenantBound("acme", TenantResource.JOBS, 50_000L));
        samples.put("delete-tenant-bound", new SetTenantBound("acme", TenantResource.RUNNING, null));
        samples.put("tenant-bound", new TenantBound("acme", TenantResource.JOBS, 7, 9, 50_000));
        samples.put(
                "tenant-ask",
                new AskGrants(
                        "acme",
                        TenantResource.JOBS,
                        LOG,
                        7,
                        5,
                        100,
                        20,
                        3,
                        1,
                        2,
                        11,
                        true,
                        new TreeMap<>(Map.of("email", 80L))));
        samples.put(
                "tenant-grant",
                new GiveGrants(
                        "acme",
                        TenantResource.JOBS,
                        7,
                        12,
                        103,
                        true,
                        50_000,
                        true,
                        2,
                        new TreeMap<>(Map.of("email", 80L))));
        OwnJobSamples.add(samples);
        CronSamples.add(samples);
        WorkflowSamples.add(samples);
    }

    private static WantedJobs acceptingVersions(WantedJobs types) {
        try {
            return types.accepting(Map.of("a.b", VersionRange.parse(List.of(">=1.2 <2.0", "3.x"))));
        } catch (UnreadableRange wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    /** Values of types whose forms are written by hand, as they stand in commands. */
    static Map<Class<?>, List<Object>> ofOwnForms() throws ReflectiveOperationException {
        Map<Class<?>, List<Object>> found = new HashMap<>();
        for (Command command : commands().values()) collect(command, found);
        return found;
    }

    private static void collect(Object record, Map<Class<?>, List<Object>> found) throws ReflectiveOperationException {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(record);
            if (OwnForms.ofObject(component.getType()) != null || OwnForms.ofMember(component.getType()) != null)
                found.computeIfAbsent(component.getType(), type -> new ArrayList<>())
                        .add(value);
            else if (value instanceof Record inside) collect(inside, found);
        }
    }
}
