package io.floodgate.bench.scenario;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Part;
import io.floodgate.bench.report.Table;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.Provisioner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * One scenario at work: its server, its load, and the table of what it finds.
 *
 * @param orderKeys that jobs have, any of them each; 0 for none
 */
public record Session(Target target, LoadShape shape, int orderKeys, Duration warmup, Duration measured, Table table) {
    static final String JOBS = "/ojs/v1/jobs";
    static final String BATCHES = "/ojs/v1/jobs/batch";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * The server to measure.
     *
     * @param queues the start of the names of queues, new for every run
     * @param process the process to watch, if it runs here
     */
    public record Target(HttpTarget http, String bootstrap, String queues, OptionalLong process) {}

    Session with(LoadShape other) {
        return new Session(target, other, orderKeys, warmup, measured, table);
    }

    Session lasting(Duration otherWarmup, Duration otherMeasured) {
        return new Session(target, shape, orderKeys, otherWarmup, otherMeasured, table);
    }

    HttpConnection connect() {
        return new HttpConnection(target.http, PATIENCE);
    }

    HttpWorker worker(int number) {
        return new HttpWorker(connect(), number);
    }

    String queue(String suffix) {
        return target.queues + suffix;
    }

    JobBodies jobs(String suffix) {
        return new JobBodies(queue(suffix), null, orderKeys);
    }

    Map<String, Object> kafka() {
        return Map.of("bootstrap.servers", target.bootstrap);
    }

    /** Returns the routing of the server that runs there. */
    Routing routing() {
        try (Provisioner cluster = new Provisioner(kafka())) {
            return cluster.existingRouting();
        }
    }

    /** Returns callers of the shape of this session, each with a connection. */
    Part part(String name, String unit, HttpOperation operation) {
        return Part.of(
                        name,
                        unit,
                        shape.callers(),
                        (caller, steps) -> new HttpOperation.Open(worker(caller), operation, steps))
                .atRate(shape.rate());
    }

    /** Lets these parts work at the same time for as long as the options say. */
    List<Measurement> measure(Part... parts) throws Exception {
        return report(new Load(warmup, measured, target.process).run(parts));
    }

    /** Lets these parts work at the same time until their work is done. */
    List<Measurement> until(BooleanSupplier isOver, Part... parts) throws Exception {
        return report(new Load(isOver).run(parts));
    }

    private List<Measurement> report(List<Measurement> found) {
        found.forEach(table::add);
        return found;
    }
}
