package io.floodgate.verification.unique;

import io.floodgate.verification.crash.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "unique-test",
        description = {
            "Enqueues one key by many callers at once through several gateways, kills a processor meanwhile, and looks"
                    + " whether",
            "exactly one job has come; then keeps one key hot, and looks whether another queue is served as before.",
            "Exit code 0 if both hold."
        },
        mixinStandardHelpOptions = true)
public final class UniqueTestCommand implements Callable<Integer> {
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Option(
            names = "--enqueues",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Concurrent enqueues of one key. Default: ${DEFAULT-VALUE}")
    int enqueues = 1_000;

    @Option(
            names = "--callers",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "Callers that keep the hot key hot, each on a connection of its own. Default: ${DEFAULT-VALUE}")
    int callers = 10_000;

    @Option(
            names = "--per-second",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Enqueues of the hot key in a second, by all of them together. Default: ${DEFAULT-VALUE}")
    int perSecond = 1_000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "20",
            description = "For how long the key is hot. Default: ${DEFAULT-VALUE}")
    int seconds = 20;

    @Option(names = "--gateways", paramLabel = "N", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}")
    int gateways = 4;

    @Override
    public Integer call() throws Exception {
        Path root = options.makeDirectory("unique");
        UniqueRun run = new UniqueRun(root, options.partitions(), gateways, System.out);
        boolean passed = run.run(enqueues, callers, perSecond, Duration.ofSeconds(seconds));
        return options.exitCode(passed, root);
    }
}
