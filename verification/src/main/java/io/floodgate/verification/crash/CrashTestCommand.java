package io.floodgate.verification.crash;

import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.LoadOptions;
import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.chaos.Special.Bounds;
import io.floodgate.verification.chaos.Special.Keys;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.chaos.Special.Moves;
import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.chaos.Special.TenantBounds;
import io.floodgate.verification.outbox.OutboxLoad;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.InstallationOptions;
import io.floodgate.verification.process.PostgresServer;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.process.SetClock;
import io.floodgate.verification.schedules.ScheduledLoad;
import io.floodgate.verification.sink.SinkLoad;
import io.floodgate.verification.source.SourceLoad;
import io.floodgate.verification.transaction.TransactionCrashRun;
import io.floodgate.verification.webhook.WebhookLoad;
import io.floodgate.verification.workflow.WorkflowCrashRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "crash-test",
        description = {
            "Kills an installation of its own while it works, and looks whether anything was lost or done twice.",
            "Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class CrashTestCommand implements Callable<Integer> {
    /** Short, so that many end while things are down. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** How long it works on average between coming back and the next kill. */
    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private static final int PROCESSORS = 2;

    /** Of a job that moves. */
    private static final int LARGEST_ARGUMENT = 400;

    /** Bounds of a tenant over all queues: few for the producers and workers that there are. */
    private static final int TENANT_JOBS = 400;

    private static final int TENANT_RUNS = 12;

    /** Until something is killed: first with all subscribers well, then with some dead and slow. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    /** So few that most jobs have a duplicate. */
    private static final int KEYS = 12;

    /** What {@code --what} offers. */
    enum What {
        PROCESSOR,
        GATEWAY,
        BROKER,
        NODE,
        BOUNDS,
        LIMITS,
        MOVES,
        UNIQUE,
        ORDER,
        TENANTS,
        CRON,
        WEBHOOKS,
        SOURCES,
        OUTBOX,
        SINKS,
        WORKFLOWS,
        TRANSACTIONS,
        ALL;

        List<Role> victims() {
            return switch (this) {
                case PROCESSOR, WORKFLOWS, TRANSACTIONS -> List.of(Role.PROCESSOR);
                case GATEWAY -> List.of(Role.GATEWAY);
                case BROKER -> List.of(Role.BROKER);
                case NODE -> List.of(Role.NODE);
                case BOUNDS, LIMITS, MOVES, UNIQUE, ORDER, TENANTS, CRON, WEBHOOKS, SOURCES, OUTBOX, SINKS, ALL ->
                    List.of(Role.PROCESSOR, Role.GATEWAY, Role.BROKER);
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Mixin
    private LoadOptions loadOptions = new LoadOptions();

    @Option(names = "--kills", paramLabel = "N", description = "How often something is killed.")
    int kills = 20;

    @Option(
            names = "--what",
            paramLabel = "ROLE",
            description = "What is killed: ${COMPLETION-CANDIDATES}. A node is all roles in one process; all are the"
                    + " three roles in turn, and then a node. With bounds, it is the three roles, under producers"
                    + " that keep bounded queues full; with limits, under jobs with rate limits; with unique, under jobs"
                    + " with few keys; with order, under jobs with order keys; with tenants, under a tenant at its bounds over all queues; with moves, while a queue is deleted beside the others and its jobs move to another"
                    + " partition, again and again; with cron, while schedules are due every second; with webhooks, while events"
                    + " are delivered, also to subscribers that are dead or slow; with sources, while records of a topic"
                    + " become jobs of a small queue; with outbox, while rows of a PostgreSQL that is killed, too, become jobs;"
                    + " with sinks, while outcomes of jobs are written to a topic;"
                    + " with workflows, processors, under workflows in bounded queues and one large batch; with transactions,"
                    + " Java workers that produce in transactions, which are also frozen.")
    What what = What.ALL;

    @Option(names = "--brokers", paramLabel = "N", description = "With 3 of them, everything is there three times.")
    int brokers = 1;

    @Option(names = "--producers", paramLabel = "N", description = "How many of them there are at bounded queues.")
    int producers = 200;

    @Option(names = "--order-keys", paramLabel = "N", description = "How many order keys there are, with order.")
    int orderKeys = 1_000;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            description = "How many webhooks there are, with webhooks; a twentieth are dead, and a twentieth slow.")
    int subscribers = 100;

    @Option(names = "--transactions", paramLabel = "N", description = "How many of them there are, with outbox.")
    int transactions = 10_000;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "How many of them move together, or are handled, with transactions.")
    int jobs = 100_000;

    @Option(
            names = "--children",
            paramLabel = "N",
            description = "How many jobs the large batch has, with workflows; 0 for no such batch.")
    int children = 10_000;

    @Option(
            names = "--default-leases",
            description = "Leases of the default length, 30 minutes, instead of 3 s: then only heartbeats show"
                    + " who is lost, and nothing may be stranded for longer than they take to notice.")
    boolean defaultLeases;

    @Option(
            names = "--clock-steps",
            paramLabel = "N",
            description = "How often the clock of a process is set ahead or back, by a second or by an hour, and then"
                    + " to the right time. It takes libfaketime.")
    int clockSteps;

    @Override
    public Integer call() throws Exception {
        if (clockSteps > 0 && SetClock.library().isEmpty())
            throw new ParameterException(spec.commandLine(), "--clock-steps: " + SetClock.howToInstall());
        if (clockSteps > 0 && (what == What.WORKFLOWS || what == What.TRANSACTIONS))
            throw new ParameterException(spec.commandLine(), "--clock-steps is not for --what " + what);
        Optional<String> missing = what == What.OUTBOX ? PostgresServer.missing() : Optional.empty();
        if (missing.isPresent()) throw new ParameterException(spec.commandLine(), "--what outbox: " + missing.get());
        long chosen = loadOptions.chooseSeed();
        Path root = options.makeDirectory("crash");
        if (what == What.WORKFLOWS) return options.exitCode(workflows(chosen, root), root);
        if (what == What.TRANSACTIONS) return options.exitCode(transactions(chosen, root), root);
        int ofNode = what == What.ALL ? kills / 4 : 0;
        boolean passed = run(what, kills - ofNode, chosen, root);
        if (ofNode > 0) passed &= run(What.NODE, ofNode, chosen, root);
        return options.exitCode(passed, root);
    }

    private boolean workflows(long chosen, Path root) throws Exception {
        Layout layout = new Layout(root, options.partitions(), 1, PROCESSORS, 2);
        var plan = new WorkflowCrashRun.Plan(
                kills, BETWEEN, layout, children, Math.max(1, loadOptions.rate() / 20), chosen);
        System.out.printf("%d times kill -9 of processors, seed %d; data and logs in %s%n", kills, chosen, root);
        CrashReport report = new WorkflowCrashRun(plan, System.out).run();
        report.printClaims(System.out);
        return report.passed();
    }

    private boolean transactions(long chosen, Path root) throws Exception {
        Layout layout = new Layout(root, options.partitions(), 1, PROCESSORS, 1);
        System.out.printf("%d times kill -9, seed %d; data and logs in %s%n", kills, chosen, root);
        CrashReport report = new TransactionCrashRun(
                        new TransactionCrashRun.Plan(kills, BETWEEN, layout, jobs, chosen), System.out)
                .run();
        report.printClaims(System.out);
        return report.passed();
    }

    private boolean run(What roles, int count, long chosen, Path root) throws Exception {
        Path data = root.resolve(roles.toString());
        Layout layout = roles == What.NODE
                ? Layout.node(data, options.partitions())
                : new Layout(
                        data,
                        options.partitions(),
                        brokers,
                        what == What.TENANTS ? 3 : PROCESSORS,
                        what == What.BOUNDS ? 3 : 2);
        CrashRun.Plan plan = new CrashRun.Plan(
                count,
                clockSteps,
                roles.victims(),
                BETWEEN,
                defaultLeases ? ChaosConfig.DEFAULT_LEASE : LEASE,
                chosen,
                layout,
                loadOptions.rate(),
                special(),
                beside(data));
        System.out.printf(
                "%d times kill -9 of %s, seed %d; data and logs in %s%n%n%s%n",
                count, roles.victims(), chosen, data, CrashReport.heading());
        CrashReport report = new CrashRun(plan, System.out).run();
        report.print(System.out);
        System.out.println();
        return report.passed();
    }

    private SideLoad.Beginning beside(Path data) {
        return switch (what) {
            case CRON -> ScheduledLoad::begin;
            case SOURCES -> SourceLoad::begin;
            case OUTBOX -> new OutboxLoad.Plan(transactions, data).beginning();
            case SINKS -> SinkLoad::begin;
            case WEBHOOKS -> new WebhookLoad.Plan(subscribers, subscribers / 20, 10, 10, QUIET).beginning();
            default -> SideLoad.Beginning.NONE;
        };
    }

    private Special special() {
        return switch (what) {
            case BOUNDS -> Bounds.thousandJobsOrOneMegabyte(producers);
            case LIMITS -> Limits.twice(loadOptions.rate());
            case MOVES -> new Moves(jobs, LARGEST_ARGUMENT);
            case UNIQUE -> new Keys(KEYS);
            case ORDER -> new Order(orderKeys);
            case TENANTS -> new TenantBounds(TENANT_JOBS, TENANT_RUNS);
            default -> Special.NOTHING;
        };
    }
}
