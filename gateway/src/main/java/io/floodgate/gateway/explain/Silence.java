package io.floodgate.gateway.explain;

import io.floodgate.gateway.system.PartitionOwners.Owner;
import io.floodgate.topics.PartitionId;
import java.time.Instant;
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
    static final String TEXT =
            "[Processor {processor} has it, as far as Kafka knows.|No processor is known to have it now.] {why}";
    static final String ADVICE = "[Look at processor {processor}, and start it again if it is down."
            + "|See which processor is down: GET /ready and /ojs/v1/admin/logs.]";

    FindingFacts facts(String name, Instant now) {
        FindingFacts facts = FindingFacts.named(name, now)
                .with("partition", partition.toString())
                .with("why", why);
        return owner == null
                ? facts
                : facts.with("processor", owner.toString())
                        .with("owner", owner.processor())
                        .with("host", owner.host());
    }

    /** What is not known of a thing that is in it. */
    List<String> notKnown(String thing) {
        List<String> notKnown = new ArrayList<>(List.of(thing));
        if (owner == null) notKnown.add("owner");
        return notKnown;
    }
}
