package io.floodgate.standalone;

import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.standalone.settings.SettingSource;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "up", description = "Everything in one process, with a broker of its own.")
final class Up implements Callable<Integer> {
    static final String DEMO_QUEUE = "demo";

    private final SettingSource settings;

    @Mixin
    BrokerOptions broker = new BrokerOptions();

    @Mixin
    KafkaOptions kafka = new KafkaOptions();

    @Mixin
    TopicOptions topics = new TopicOptions();

    Up(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var config = broker.config(settings);
            var embedded = running.add("broker", EmbeddedBroker.start(config));
            var clients = kafka.clients(embedded.bootstrap(), settings);
            topics.provision(clients, (short) 1);
            System.out.printf("Floodgate is ready after %.1f s.%n", secondsSinceStart());
            running.await();
        }
        return 0;
    }

    private static double secondsSinceStart() {
        var up = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        return up.toMillis() / 1000.0;
    }
}
