package io.floodgate.bench;

import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.report.Table;
import io.floodgate.bench.scenario.LoadShape;
import io.floodgate.bench.scenario.Scenario;
import io.floodgate.bench.scenario.Scenarios;
import io.floodgate.bench.scenario.Session;
import io.floodgate.bench.scenario.Session.Target;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code floodgate bench SCENARIO}: see {@code floodgate bench --help}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Puts load on a Floodgate that is running, and measures. Latencies are in milliseconds.")
public final class Bench implements Callable<Integer> {
    @Parameters(paramLabel = "SCENARIO", description = "One of those below.")
    String scenario = "";

    @Option(names = "--callers", paramLabel = "N", description = "Connections, or commands in flight.")
    @Nullable
    Integer callers;

    @Option(names = "--size", paramLabel = "N", description = "Jobs in each request.")
    @Nullable
    Integer size;

    @Option(names = "--count", paramLabel = "N", description = "Jobs, schedules, producers or workflows in all.")
    @Nullable
    Integer count;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Operations per second that are due, whatever the server does; a latency counts from then."
                    + " 0: as fast as they are answered.")
    @Nullable
    Double rate;

    @Option(
            names = "--order-keys",
            paramLabel = "N",
            description =
                    "Order keys that jobs have, any of N each; 0 for none (default). With lifecycle, a caller waits"
                            + " until its jobs may start.")
    int orderKeys;

    @Option(names = "--seconds", paramLabel = "N", description = "Time of each measurement (default: 10).")
    int seconds = 10;

    @Option(names = "--warmup", paramLabel = "N", description = "Seconds before it that do not count (default: 5).")
    int warmup = 5;

    @Option(names = "--url", description = "URL of the gateway (default: http://localhost:8080).")
    String url = "http://localhost:8080";

    @Option(
            names = "--key",
            defaultValue = "${env:OJS_AUTH_TOKEN:-}",
            description = "The API key, if the gateway asks for one; better in OJS_AUTH_TOKEN, which ps does not show.")
    @Nullable
    String key;

    @Option(names = "--bootstrap", description = "The Kafka brokers (default: localhost:9092).")
    String bootstrap = "localhost:9092";

    @Option(names = "--pid", description = "Process id of the server, to show its CPU time.")
    @Nullable
    Long pid;

    @Spec
    CommandSpec spec = CommandSpec.create();

    private Bench() {}

    /** Returns the exit code: 0 when everything was measured and nothing failed. */
    @Override
    public Integer call() throws Exception {
        Scenario chosen = Scenarios.ALL.stream()
                .filter(each -> each.name().equals(scenario))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "'%s' is not a scenario; see --help".formatted(scenario)));
        PrintWriter out = spec.commandLine().getOut();
        Target target = new Target(
                HttpTarget.parse(url).with(key),
                bootstrap,
                "bench-" + Long.toString(System.currentTimeMillis(), 36),
                pid == null ? OptionalLong.empty() : OptionalLong.of(pid));
        out.printf("%s and %s, queues %s-…%n", target.http(), bootstrap, target.queues());
        Table table = new Table(out);
        chosen.run()
                .measure(new Session(
                        target,
                        shape(chosen.shape()),
                        orderKeys,
                        Duration.ofSeconds(warmup),
                        Duration.ofSeconds(seconds),
                        table));
        table.print();
        return table.hasErrors() ? 1 : 0;
    }

    private LoadShape shape(LoadShape usual) {
        return new LoadShape(
                callers == null ? usual.callers() : callers,
                size == null ? usual.size() : size,
                count == null ? usual.count() : count,
                rate == null ? usual.rate() : rate);
    }

    static CommandLine commandLine() {
        String scenarios = Scenarios.ALL.stream().map(Bench::line).collect(Collectors.joining("%n"));
        CommandLine commandLine = new CommandLine(new Bench())
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().printf("bench failed: %s%n", failure);
                    return 1;
                });
        commandLine
                .getCommandSpec()
                .usageMessage()
                .footer("", "Scenarios: --callers, --size, --count, --rate unless given", scenarios);
        return commandLine;
    }

    private static String line(Scenario scenario) {
        LoadShape usual = scenario.shape();
        return "%-14s %4d %4d %7d %3.0f %s"
                .formatted(
                        scenario.name(),
                        usual.callers(),
                        usual.size(),
                        usual.count(),
                        usual.rate(),
                        scenario.description());
    }

    public static void main(String... arguments) {
        System.exit(commandLine().execute(arguments));
    }
}
