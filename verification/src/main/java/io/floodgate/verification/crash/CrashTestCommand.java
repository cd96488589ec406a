package io.floodgate.verification.crash;

import io.floodgate.verification.chaos.ChaosBounds;
import io.floodgate.verification.chaos.ChaosConfig;
import io.floodgate.verification.chaos.ChaosKeys;
import io.floodgate.verification.chaos.ChaosLimits;
import io.floodgate.verification.chaos.ChaosMoves;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.process.SetClock;
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

    /** Of a job that moves. */
    private static final int LARGEST_ARGUMENT = 400;

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
        CRON,
        WORKFLOWS,
        ALL;

        List<Role> victims() {
            return switch (this) {
                case PROCESSOR, WORKFLOWS -> List.of(Role.PROCESSOR);
                case GATEWAY -> List.of(Role.GATEWAY);
                case BROKER -> List.of(Role.BROKER);
                case NODE -> List.of(Role.NODE);
                case BOUNDS, LIMITS, MOVES, UNIQUE, CRON, ALL -> List.of(Role.PROCESSOR, Role.GATEWAY, Role.BROKER);
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

    @Option(
            names = "--kills",
            paramLabel = "N",
            defaultValue = "20",
            description = "How often something is killed. Default: ${DEFAULT-VALUE}")
    int kills = 20;

    @Option(
            names = "--what",
            paramLabel = "ROLE",
            defaultValue = "all",
            description =
                    "What is killed: ${COMPLETION-CANDIDATES}. A node is all roles in one process; all are the"
                            + " three roles in turn, and then a node. With bounds, it is the three roles, under producers"
                            + " that keep bounded queues full; with limits, under jobs with rate limits; with unique, under jobs"
                            + " with few keys; with moves, while a queue is deleted beside the others and its jobs move to another"
                            + " partition, again and again; with cron, while schedules are due every second;"
                            + " with workflows, processors, under workflows in bounded queues and one large batch. Default: ${DEFAULT-VALUE}")
    What what = What.ALL;

    @Option(
            names = "--seconds-between",
            paramLabel = "S",
            defaultValue = "5",
            description =
                    "How long it works on average between coming back and the next kill. Default: ${DEFAULT-VALUE}")
    int secondsBetween = 5;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "1",
            description = "With 3 of them, everything is there three times. Default: ${DEFAULT-VALUE}")
    int brokers = 1;

    @Option(names = "--processors", paramLabel = "N", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
    int processors = 2;

    @Option(names = "--gateways", paramLabel = "N", description = "Default: 2, and 3 for bounds")
    Optional<Integer> gateways = Optional.empty();

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "200",
            description = "How many of them there are at bounded queues. Default: ${DEFAULT-VALUE}")
    int producers = 200;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many of them move together. Default: ${DEFAULT-VALUE}")
    int jobs = 100_000;

    @Option(
            names = "--children",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "How many jobs the large batch has, with workflows; 0 for no such batch. Default: ${DEFAULT-VALUE}")
    int children = 10_000;

    @Option(
            names = "--default-leases",
            description = "Leases of the default length, 30 minutes, instead of 3 s: then only heartbeats show"
                    + " who is lost, and nothing may be stranded for longer than they take to notice.")
    boolean defaultLeases;

    @Option(
            names = "--clock-steps",
            paramLabel = "N",
            defaultValue = "0",
            description = "How often the clock of a process is set ahead or back, by a second or by an hour, and then"
                    + " to the right time. It takes libfaketime. Default: ${DEFAULT-VALUE}")
    int clockSteps;

    @Override
    public Integer call() throws Exception {
        if (clockSteps > 0 && SetClock.library().isEmpty())
            throw new ParameterException(spec.commandLine(), "--clock-steps: " + SetClock.howToInstall());
        if (clockSteps > 0 && what == What.WORKFLOWS)
            throw new ParameterException(spec.commandLine(), "--clock-steps is not for --what workflows");
        long chosen = options.chooseSeed();
        Path root = options.makeDirectory("crash");
        if (what == What.WORKFLOWS) return options.exitCode(workflows(chosen, root), root);
        int ofNode = what == What.ALL ? kills / 4 : 0;
        boolean passed = run(what.toString(), what.victims(), kills - ofNode, chosen, root);
        if (ofNode > 0) passed &= run(What.NODE.toString(), What.NODE.victims(), ofNode, chosen, root);
        return options.exitCode(passed, root);
    }

    private boolean workflows(long chosen, Path root) throws Exception {
        var plan = new WorkflowCrashRun.Plan(
                kills,
                Duration.ofSeconds(secondsBetween),
                options.partitions(),
                processors,
                children,
                Math.max(1, options.rate() / 20),
                chosen);
        System.out.printf("%d times kill -9 of processors, seed %d; data and logs in %s%n", kills, chosen, root);
        return new WorkflowCrashRun(plan, root, System.out).run();
    }

    private boolean run(String name, List<Role> victims, int count, long chosen, Path root) throws Exception {
        CrashPlan plan = new CrashPlan(
                count,
                clockSteps,
                victims,
                Duration.ofSeconds(secondsBetween),
                defaultLeases ? ChaosConfig.DEFAULT_LEASE : LEASE,
                chosen,
                options.partitions(),
                brokers,
                processors,
                gateways.orElse(what == What.BOUNDS ? 3 : 2),
                options.rate(),
                load());
        Path data = root.resolve(name);
        System.out.printf(
                "%d times kill -9 of %s, seed %d; data and logs in %s%n%n%s%n",
                count, victims, chosen, data, CrashReport.heading());
        CrashReport report = new CrashRun(plan, data, System.out).run();
        report.print(System.out);
        System.out.println();
        return report.passed();
    }

    private CrashLoad load() {
        return switch (what) {
            case BOUNDS -> CrashLoad.of(ChaosBounds.thousandJobsOrOneMegabyte(producers));
            case LIMITS -> CrashLoad.of(ChaosLimits.twice(options.rate()));
            case MOVES -> CrashLoad.of(new ChaosMoves(jobs, LARGEST_ARGUMENT));
            case UNIQUE -> CrashLoad.of(new ChaosKeys(KEYS));
            case CRON -> CrashLoad.withSchedules();
            default -> CrashLoad.ordinary();
        };
    }
}
