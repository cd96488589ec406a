package io.floodgate.standalone;

import io.floodgate.standalone.broker.EmbeddedBroker;
import io.floodgate.standalone.settings.SettingSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "broker", description = "A single Kafka broker, for the other roles.")
final class BrokerRole implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    DataOptions data = new DataOptions();

    @Mixin
    BrokerOptions broker = new BrokerOptions();

    BrokerRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var started = running.add("broker", EmbeddedBroker.start(broker.config(data, settings)));
            System.out.printf("The broker is ready at %s; its data is in %s%n", started.bootstrap(), data.broker());
            running.await();
        }
        return 0;
    }
}
