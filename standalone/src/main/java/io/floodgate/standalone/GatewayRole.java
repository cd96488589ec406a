package io.floodgate.standalone;

import io.floodgate.gateway.Gateway;
import io.floodgate.gateway.queue.QueueTopics.Which;
import io.floodgate.standalone.metrics.ProcessMetrics;
import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.client.Rights.Role;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "gateway", description = "Serves the HTTP API.")
final class GatewayRole implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Mixin
    NodeOptions node = new NodeOptions();

    @Mixin
    HttpOptions http = new HttpOptions();

    GatewayRole(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (var running = Running.untilTheProcessEnds()) {
            var metrics = running.add("metrics", new ProcessMetrics());
            var serving = http.config();
            var config = serving.gateway(metrics.of(cluster.client(
                    settings, Role.GATEWAY, node.name(), serving.queueTopics().which() != Which.NONE)));
            var gateway = running.add("gateway", Gateway.start(config, metrics.registry()));
            serving.webhooks().start(config.client(), gateway, metrics.registry(), running);
            System.out.printf("The gateway listens at %s://%s:%d%n", serving.scheme(), config.host(), gateway.port());
            running.await();
        }
        return 0;
    }
}
