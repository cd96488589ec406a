package io.floodgate.verification.fault;

import io.floodgate.verification.chaos.LoadOptions;
import io.floodgate.verification.disk.LossyDisk;
import io.floodgate.verification.process.InstallationOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "fault-test",
        description = {
            "Strikes an installation under load with one fault, again and again. Says what was done to the machine, what was",
            "lost, doubled or over a bound of what was answered, and how long each partition was not served. An early fault",
            "strikes a new installation each time, and so does the one after a repetition that failed. The machine is as it",
            "was before when it ends. Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class FaultTestCommand implements Callable<Integer> {
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Mixin
    private LoadOptions loadOptions = new LoadOptions();

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            required = true,
            split = ",",
            description = "What is done: ${COMPLETION-CANDIDATES}")
    List<MachineFault> faults = List.of();

    @Option(
            names = "--on",
            paramLabel = "INSTALLATION",
            required = true,
            split = ",",
            description = "What it is done to: ${COMPLETION-CANDIDATES}")
    List<FaultTarget> targets = List.of();

    @Option(names = "--times", paramLabel = "N", description = "How often.")
    int times = 1;

    @Option(names = "--seconds", paramLabel = "S", description = "How long callers work before the fault.")
    int seconds = 12;

    @Option(
            names = "--lying-disks",
            description = "The disks that are struck acknowledge syncs without doing them: then jobs must be lost")
    boolean disksLie;

    @Option(
            names = "--away",
            paramLabel = "S",
            description =
                    "How long what is struck is gone, or its disk goes wrong. Default: 10 for a disk that goes wrong, else 1")
    @Nullable
    Integer away;

    @Override
    public Integer call() throws Exception {
        Optional<String> missing = LossyDisk.missing();
        if (missing.isPresent()) {
            System.err.println(missing.get());
            return 2;
        }
        long seed = loadOptions.chooseSeed();
        Path root = options.makeDirectory("fault");
        System.out.printf("Seed %d; data and logs in %s%n", seed, root);
        boolean passed = true;
        for (MachineFault fault : faults) for (FaultTarget target : targets) passed &= row(fault, target, seed, root);
        return options.exitCode(passed, root);
    }

    private boolean row(MachineFault fault, FaultTarget target, long seed, Path root) throws Exception {
        System.out.printf("%n%s on %s%n%s%n", fault, target, FaultSeen.heading());
        FaultPlan plan = new FaultPlan(
                fault,
                target,
                Duration.ofSeconds(seconds),
                disksLie,
                Duration.ofSeconds(away != null ? away : fault.kills() ? 1 : 10),
                options.partitions(),
                loadOptions.rate());
        List<FaultSeen> all = new ArrayList<>();
        boolean allEnd = true;
        while (all.size() < times) {
            Path directory = Files.createDirectories(root.resolve("%s-%s-%d".formatted(fault, target, all.size() + 1)));
            allEnd &= strike(plan, seed, directory, all);
        }
        System.out.println(FaultSeen.total(all));
        return allEnd && all.stream().allMatch(FaultSeen::passed);
    }

    /** As often as one installation can be struck. Returns whether it ends when it is asked to. */
    private boolean strike(FaultPlan plan, long seed, Path directory, List<FaultSeen> all) throws Exception {
        PrintStream out = System.out;
        try (FaultSite site = new FaultSite(plan, directory)) {
            do {
                long next = seed + all.size();
                try (FaultTrial trial = plan.target().isClient()
                        ? new ClientRun(plan, next, site, out)
                        : new FaultRun(plan, next, site, out)) {
                    all.add(trial.run());
                } catch (IOException | TimeoutException failed) {
                    all.add(FaultSeen.failed(next, failed));
                }
                out.println(all.getLast().line());
                all.getLast().complaints().forEach(complaint -> out.println("         " + complaint));
            } while (all.size() < times
                    && all.getLast().passed()
                    && !plan.fault().isEarly());
            return site.stop(out);
        }
    }
}
