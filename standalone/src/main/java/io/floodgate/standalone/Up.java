package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "up", description = "Runs all roles in one process, with an embedded Kafka broker.")
final class Up implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    HttpOptions http = new HttpOptions();

    @Mixin
    DataOptions data = new DataOptions();

    @Mixin
    TopicOptions topics = new TopicOptions();

    @Mixin
    ProcessorOptions processor = new ProcessorOptions();

    @Mixin
    BrokerOptions broker = new BrokerOptions();

    @Mixin
    KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--network-only",
            description = "Uses the embedded broker through the network, as any other Kafka cluster,"
                    + " instead of reading and writing its partitions within the process. Slower for a single caller.")
    boolean networkOnly;

    @Option(
            names = "--sync",
            negatable = true,
            description =
                    "An answer leaves once what it acknowledges is on the disk. Without it, answers do not wait, and a"
                            + " loss of power loses those of the moment before.")
    boolean sync;

    Up(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var config = config();
            var started = Standalone.start(config, running);
            System.out.print(welcome(started, config.http().scheme()));
            running.await();
        }
        return 0;
    }

    private StandaloneConfig config() {
        return new StandaloneConfig(
                broker.config(data, settings).networkOnly(networkOnly).sync(sync),
                data.state(),
                topics.partitions(),
                processor.threads,
                processor.logs(),
                http.config(),
                kafka.clients(settings));
    }

    private String welcome(Standalone started, String scheme) {
        double seconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0;
        String trust = http.certificate == null ? "" : " --cacert " + http.certificate;
        String key = http.keys == null ? "" : " -H \"Authorization: Bearer $KEY\"";
        return """
                Floodgate is ready after %1$.1f s.

                  HTTP   %5$s://localhost:%2$d/ojs/v1
                  Kafka  %3$s
                  Data   %4$s%9$s

                Enqueue a job%6$s:
                  curl -s%8$s %5$s://localhost:%2$d/ojs/v1/jobs%7$s -H 'Content-Type: application/json' \\
                    -d '{"type": "email.send", "args": ["ada@example.com"]}'
                Take it, as a worker does:
                  curl -s%8$s %5$s://localhost:%2$d/ojs/v1/workers/fetch%7$s -H 'Content-Type: application/json' \\
                    -d '{"queues": ["default"], "worker_id": "me"}'

                Ctrl-C stops it.
                """.formatted(
                        seconds,
                        started.port(),
                        started.bootstrap(),
                        data.root(),
                        scheme,
                        key.isEmpty() ? "" : " (KEY is one of the keys in %s)".formatted(http.keys),
                        key,
                        trust,
                        sync ? "" : "\n         A loss of power may lose what was answered last; --sync prevents it.");
    }
}
