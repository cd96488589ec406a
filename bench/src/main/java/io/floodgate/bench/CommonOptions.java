package io.floodgate.bench;

import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.run.JobBodies;
import io.floodgate.bench.run.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command takes. */
final class CommonOptions {
    @Option(
            names = "--url",
            defaultValue = "http://localhost:8080",
            description = "where the gateway is (default: ${DEFAULT-VALUE})")
    String url = "";

    @Option(
            names = "--key",
            defaultValue = "${env:OJS_AUTH_TOKEN:-}",
            description = "the API key, if the gateway asks for one; better in OJS_AUTH_TOKEN, which ps does not show")
    @Nullable
    String key;

    @Option(
            names = "--bootstrap",
            defaultValue = "localhost:9092",
            description = "the Kafka brokers, for what goes straight to a partition (default: ${DEFAULT-VALUE})")
    String bootstrap = "";

    @Option(names = "--queue", description = "the start of the queues' names (default: new ones for every run)")
    @Nullable
    String queue;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "how long to measure, each time (default: ${DEFAULT-VALUE})")
    double seconds;

    @Option(
            names = "--warmup",
            defaultValue = "5",
            description = "how many seconds before that do not count (default: ${DEFAULT-VALUE})")
    double warmup;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "operations per second that are due, whatever the server does; 0: as fast as they are"
                    + " answered (default: ${DEFAULT-VALUE})")
    double rate;

    @Option(
            names = "--job-bytes",
            defaultValue = "" + JobBodies.DEFAULT_BYTES,
            description = "the size of a job (default: ${DEFAULT-VALUE})")
    int jobBytes;

    @Option(
            names = "--reset",
            description = "let the server forget everything before each measurement; it must run with --test-mode")
    boolean reset;

    @Option(names = "--pid", description = "the server's process, to show its CPU time and memory")
    @Nullable
    Long pid;

    @Option(names = "--json", description = "write what was measured to this file, as JSON")
    @Nullable
    Path json;

    @Option(names = "--html", description = "write what was measured to this file, as a page with curves")
    @Nullable
    Path html;

    Settings settings() {
        String start = queue == null ? "bench-" + Long.toString(System.currentTimeMillis(), 36) : queue;
        return new Settings(
                HttpTarget.parse(url).with(key),
                bootstrap,
                start.toLowerCase(Locale.ROOT),
                seconds(warmup),
                seconds(seconds),
                rate,
                jobBytes,
                reset,
                pid == null ? OptionalLong.empty() : OptionalLong.of(pid));
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }
}
