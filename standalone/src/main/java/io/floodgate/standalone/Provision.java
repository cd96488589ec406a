package io.floodgate.standalone;

import io.floodgate.standalone.settings.SettingSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "provision", description = "Creates the topics that are missing in a Kafka cluster.")
final class Provision implements Callable<Integer> {
    private final SettingSource settings;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Mixin
    TopicOptions topics = new TopicOptions();

    @Option(
            names = "--replication",
            paramLabel = "N",
            defaultValue = "3",
            description = "On how many brokers each topic is kept.")
    short replication = 3;

    Provision(SettingSource settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() {
        var routing = topics.provision(cluster.clients(settings), replication);
        System.out.printf("The topics are there, with %d partitions.%n", routing.partitions());
        return 0;
    }
}
