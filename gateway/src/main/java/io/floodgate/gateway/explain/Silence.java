package io.floodgate.gateway.explain;

import io.floodgate.gateway.system.PartitionOwners.Owner;
import io.floodgate.topics.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition that does not answer.
 *
 * @param why what came instead of an answer
 * @param owner the processor that has it; null if none is known
 */
record Silence(PartitionId partition, String why, @Nullable Owner owner) {
    static final String DOCS = "docs/how-to/runbooks/partition-unavailable.md";

    /** A sentence that ends with why. */
    String text() {
        return owner == null
                ? "No processor is known to have it now. %s".formatted(why)
                : "Processor %s has it, as far as Kafka knows. %s".formatted(owner, why);
    }

    Evidence evidence() {
        Evidence evidence = new Evidence().with("partition", partition.toString());
        return owner == null
                ? evidence
                : evidence.with("owner", owner.processor()).with("host", owner.host());
    }

    Advice advice() {
        return Advice.read(
                owner == null
                        ? "See which processor is down: GET /ready and /ojs/v1/admin/logs."
                        : "Look at processor %s, and start it again if it is down.".formatted(owner),
                DOCS);
    }

    /** What is not known of a thing that is in it. */
    List<String> notKnown(String thing) {
        List<String> notKnown = new ArrayList<>(List.of(thing));
        if (owner == null) notKnown.add("owner");
        return notKnown;
    }
}
