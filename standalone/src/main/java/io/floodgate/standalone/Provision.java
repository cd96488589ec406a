package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import io.floodgate.topics.client.Rights.Role;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "provision", description = "Creates the topics that are missing in a Kafka cluster.")
final class Provision implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Mixin
    TopicOptions topics = new TopicOptions();

    @Mixin
    ReplicationOptions replication = new ReplicationOptions();

    Provision(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() {
        var clients = cluster.reach(settings, Role.PROVISION, "", true);
        var routing = topics.provision(clients, replication.of(clients));
        System.out.printf("The topics are there, with %d partitions.%n", routing.partitions());
        return 0;
    }
}
