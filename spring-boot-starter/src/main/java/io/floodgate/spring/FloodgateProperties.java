package io.floodgate.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where Floodgate is, and how this application works with it.
 *
 * @param bootstrapServers Brokers of the cluster, as Kafka clients take them. By default spring.kafka.bootstrap-servers.
 * @param kafka Further properties of Kafka clients, such as security.protocol.
 * @param namespace Namespace of the installation, if its topics have one.
 * @param url Address of a gateway, for schedules and for producers over HTTP.
 * @param key API key for that address.
 * @param worker How jobs are taken and run.
 * @param producer How jobs are enqueued.
 * @param schedules How schedules are registered.
 */
@ConfigurationProperties("floodgate")
public record FloodgateProperties(
        @Nullable String bootstrapServers,
        @DefaultValue Map<String, String> kafka,
        @DefaultValue("") String namespace,
        @Nullable String url,
        @Nullable String key,
        @DefaultValue Worker worker,
        @DefaultValue Producer producer,
        @DefaultValue Schedules schedules) {

    /**
     * How jobs are taken and run.
     *
     * @param enabled Whether this instance takes jobs.
     * @param id Id of the worker. By default another one at each start.
     * @param queues Queues to take jobs from, the first with a job first. By default those that handlers name.
     * @param concurrency Handlers that run at a time.
     * @param tenants Tenants whose jobs are taken. By default all.
     * @param grace Time that running handlers have when the application stops.
     * @param journal Directory for outcomes that could not be reported, so that they outlive the process.
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @Nullable String id,
            @DefaultValue List<String> queues,
            @DefaultValue("10") int concurrency,
            @DefaultValue List<String> tenants,
            @DefaultValue("25s") Duration grace,
            @Nullable Path journal) {}

    /**
     * How jobs are enqueued.
     *
     * @param over Whether jobs go over HTTP or to Kafka. By default HTTP if there is a url.
     * @param onDisk Directory for jobs that were submitted and that the server does not have yet.
     * @param sync Whether a submitted job is on the disk before the call returns.
     */
    public record Producer(
            @Nullable Transport over,
            @Nullable Path onDisk,
            @DefaultValue("false") boolean sync) {
        /** The way to the server. */
        public enum Transport {
            HTTP,
            KAFKA
        }
    }

    /**
     * How schedules are registered.
     *
     * @param managedBy Name under which this application registers its schedules. By default spring.application.name.
     * @param register Whether the list is registered also if no method has a schedule, which removes all that it had.
     */
    public record Schedules(
            @Nullable String managedBy,
            @DefaultValue("false") boolean register) {}

    /** Returns the properties of Kafka clients. */
    Map<String, Object> clients(@Nullable String elseBootstrap) {
        Map<String, Object> all = new HashMap<>(kafka);
        String servers = bootstrapServers != null ? bootstrapServers : elseBootstrap;
        if (servers != null) all.put("bootstrap.servers", servers);
        if (!all.containsKey("bootstrap.servers"))
            throw new IllegalStateException(
                    "Set floodgate.bootstrap-servers or spring.kafka.bootstrap-servers to the brokers of your cluster.");
        return all;
    }

    /** Returns the headers of requests over HTTP. */
    Map<String, String> headers() {
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    List<String> queues(List<String> ofHandlers) {
        return worker.queues.isEmpty() ? new ArrayList<>(ofHandlers) : worker.queues;
    }
}
