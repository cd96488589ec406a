package io.floodgate.processor.simulation;

import io.floodgate.processor.log.LogEngine;
import io.floodgate.processor.log.LogRecord;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import java.util.List;

/** One log of a cluster as it was written, and what each of its records caused then. */
record Recording(Routing routing, LogId log, List<LogRecord> records, List<String> effects) {

    /** All logs of a simulation: with duplicates, gaps, ticks, poison, and a broker's clock that steps back. */
    static List<Recording> of(long seed, int commands) {
        return of(seed, commands, true);
    }

    /** The same without a release to come. */
    static List<Recording> ofThisRelease(long seed, int commands) {
        return of(seed, commands, false);
    }

    private static List<Recording> of(long seed, int commands, boolean upgrades) {
        Cluster cluster = seed % 3 == 2
                ? LimitSimulation.recorded(seed, commands)
                : Simulation.recorded(seed, commands, upgrades);
        return cluster.logs().stream()
                .map(log -> new Recording(
                        cluster.routing, log, List.copyOf(cluster.broker.log(log)), cluster.history.prints(log)))
                .toList();
    }

    /** Logs that one task reads: one partition of the commands topic, and of the topics of two queues. */
    static List<Recording> neighbours(long seed, int commands) {
        List<Recording> recorded = of(seed, commands);
        Recording commandsLog = recorded.getFirst();
        return List.of(
                commandsLog, recorded.get(1).movedTo("ojs.queue.news"), commandsLog.movedTo("ojs.queue.news.flash"));
    }

    /** The same records in another topic: what does not belong there is passed on. */
    private Recording movedTo(String topic) {
        LogId other = new LogId(topic, 0);
        LogEngine engine = new LogEngine(other, routing, Instance.Snapshot.EMPTY.copy(), Cluster.NEXT);
        return new Recording(
                routing,
                other,
                records,
                records.stream().map(record -> Prints.of(engine.apply(record))).toList());
    }
}
