package io.floodgate.bench.limit;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/** One echo at a time, as many as go through, and large ones: the yardsticks of latency, rate and batches. */
public final class LimitRun {
    /** The number of jobs in one large record. */
    public static final int BULK = 100;

    private static final int BULK_IN_FLIGHT = 16;

    private LimitRun() {}

    public static List<Measurement> run(
            String bootstrap, Duration warmup, Duration measured, int inFlight, int recordBytes) throws Exception {
        Map<String, Object> kafka = Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        try (var topics = EchoTopics.create(kafka);
                var server = EchoServer.start(kafka);
                var client = EchoClient.start(kafka)) {
            return List.of(
                    echo("limit: one at a time", Plan.closed(warmup, measured, 1), client, recordBytes, 1),
                    echo("limit: rate", Plan.closed(warmup, measured, inFlight), client, recordBytes, 1),
                    echo(
                            "limit: batches",
                            Plan.closed(warmup, measured, BULK_IN_FLIGHT),
                            client,
                            recordBytes * BULK,
                            BULK));
        }
    }

    private static Measurement echo(String name, Plan plan, EchoClient client, int bytes, int units) throws Exception {
        String how = "echo of a record of %,d bytes, %d in flight".formatted(bytes, plan.callers());
        byte[] payload = new byte[bytes];
        return new Load(plan).onVirtualThreads(name, how, units == 1 ? "echoes" : "jobs", caller -> due -> {
            client.echo(caller % EchoTopics.PARTITIONS, payload);
            return units;
        });
    }
}
