package io.floodgate.verification.hostile;

import io.floodgate.verification.process.InstallationOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    @Mixin
    private InstallationOptions options = new InstallationOptions();

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "These attacks alone.")
    @Nullable
    Set<String> only;

    @Option(names = "--short", description = "Each attack cut to a few seconds.")
    boolean isShort;

    @Option(names = "--list", description = "Says which attacks there are, and ends.")
    boolean list;

    @Option(
            names = "--ready-seconds",
            paramLabel = "S",
            description = "How long a start may take, with whatever was attacked.")
    long readySeconds = 60;

    @Option(names = "--keep", description = "Keeps data and logs, also when everything holds.")
    boolean keep;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        List<Attack> attacks = chosen();
        if (list) {
            attacks.forEach(attack -> System.out.printf("%-24s %s%n", attack.name(), attack.what()));
            return 0;
        }
        Path root = options.makeDirectory("hostile");
        HostileRun.Plan plan = new HostileRun.Plan(
                Duration.ofHours(1),
                isShort,
                // The servers of the short form are cold, and have few rounds.
                Duration.ofMillis(isShort ? 1_000 : 100),
                Duration.ofSeconds(readySeconds),
                options.partitions());
        System.out.printf("%d attacks; data and logs in %s%n%n", attacks.size(), root);
        boolean held = new HostileRun(plan, root, System.out).run(attacks);
        return keep ? held ? 0 : 1 : options.exitCode(held, root);
    }

    private List<Attack> chosen() {
        Set<String> wanted = only;
        if (wanted == null) return Attack.all();
        List<Attack> chosen = Attack.all().stream()
                .filter(attack -> wanted.contains(attack.name()))
                .toList();
        chosen.forEach(attack -> wanted.remove(attack.name()));
        if (!wanted.isEmpty())
            throw new ParameterException(spec.commandLine(), "no such attack: %s; see --list".formatted(wanted));
        return chosen;
    }
}
