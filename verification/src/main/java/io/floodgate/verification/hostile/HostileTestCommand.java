package io.floodgate.verification.hostile;

import io.floodgate.verification.process.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "hostile-test",
        description = {
            "Attacks a server of its own in every way we know, while a canary asks all the time whether others are served.",
            "Exit code 0 if everything holds."
        },
        mixinStandardHelpOptions = true)
public final class HostileTestCommand implements Callable<Integer> {
    private static final long CANARY_MS = 100;
    private static final long COLD_CANARY_MS = 1_000;

    @Option(names = "--heap", defaultValue = "1g", description = "Of the server. Default: ${DEFAULT-VALUE}")
    String heap = "1g";

    @Option(
            names = "--duration",
            defaultValue = "PT1H",
            description = "Of ordinary traffic, such as PT10M. Default: ${DEFAULT-VALUE}")
    Duration duration = Duration.ofHours(1);

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "These attacks alone.")
    List<String> only = List.of();

    @Option(names = "--short", description = "Each attack cut to a few seconds.")
    boolean isShort;

    @Option(names = "--list", description = "Says which attacks there are, and ends.")
    boolean list;

    @Option(
            names = "--canary-ms",
            paramLabel = "MS",
            description =
                    "How long the canary may wait for all three of its requests, at p99. Default: 100; 1000 in the short form, whose"
                            + " servers are cold and have few rounds.")
    Optional<Long> canaryMs = Optional.empty();

    @Option(
            names = "--ready-seconds",
            paramLabel = "S",
            defaultValue = "60",
            description = "How long a start may take, with whatever was attacked. Default: ${DEFAULT-VALUE}")
    long readySeconds = 60;

    @Option(names = "--keep", description = "Keeps data and logs, also when everything holds.")
    boolean keep;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where data and logs go. Default: a temporary one.")
    Optional<Path> directory = Optional.empty();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        List<Attack> attacks = chosen();
        if (list) {
            attacks.forEach(attack -> System.out.printf("%-24s %s%n", attack.name(), attack.what()));
            return 0;
        }
        Path root = directory.isPresent() ? directory.get() : Files.createTempDirectory("floodgate-hostile-");
        HostilePlan plan = new HostilePlan(
                heap,
                duration,
                isShort,
                Duration.ofMillis(canaryMs.orElse(isShort ? COLD_CANARY_MS : CANARY_MS)),
                Duration.ofSeconds(readySeconds),
                8);
        System.out.printf("%d attacks on a heap of %s; data and logs in %s%n%n", attacks.size(), heap, root);
        boolean held = new HostileRun(plan, root, System.out).run(attacks);
        if (held && !keep && directory.isEmpty()) Directories.delete(root);
        return held ? 0 : 1;
    }

    private List<Attack> chosen() {
        if (only.isEmpty()) return Attacks.all();
        List<String> unknown = new ArrayList<>(only);
        Attacks.all().forEach(attack -> unknown.remove(attack.name()));
        if (!unknown.isEmpty())
            throw new ParameterException(spec.commandLine(), "no such attack: %s; see --list".formatted(unknown));
        return Attacks.all().stream()
                .filter(attack -> only.contains(attack.name()))
                .toList();
    }
}
