package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A lease is given to one who fetched, by the record that started the run. */
final class Deliveries {
    private final Set<Long> fetches = new LinkedHashSet<>();
    private final Set<String> given = new LinkedHashSet<>();

    private Deliveries(Cluster cluster) {
        cluster.broker
                .all()
                .values()
                .forEach(records -> records.forEach(record -> {
                    if ("fetch".equals(record.op()) && record.replyTo() != null)
                        fetches.add(record.replyTo().correlation());
                }));
    }

    static void check(Cluster cluster) {
        Deliveries deliveryRefs = new Deliveries(cluster);
        for (PartitionId log : cluster.logs()) cluster.history.outcomes(log).forEach(deliveryRefs::check);
    }

    private void check(Outcome outcome) {
        Set<String> started = started(outcome);
        outcome.answers().forEach(answer -> {
            if (!fetches.contains(answer.to().correlation()) || !(answer.reply() instanceof Reply.Done done)) return;
            done.lines().forEach(line -> {
                JsonNode job = Json.tree(line);
                String lease = job.get("id").stringValue() + " under lease " + job.get("lease");
                if (!started.contains(lease)) throw new AssertionError(lease + " was handed out, but not started");
                // A deleted job's id may begin another life, and its leases count from one again.
                if (!given.add(lease + " since " + job.get("created_at")))
                    throw new AssertionError(lease + " was handed out twice");
            });
        });
    }

    private static Set<String> started(Outcome outcome) {
        Set<String> leases = new LinkedHashSet<>();
        outcome.events().forEach(event -> {
            JsonNode told = Json.tree(event.envelope());
            JsonNode data = told.get("data");
            if (told.get("type").stringValue().equals("job.started"))
                leases.add(data.get("job_id").stringValue() + " under lease " + data.get("lease"));
        });
        return leases;
    }
}
