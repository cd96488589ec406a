package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.to;
import static io.floodgate.processor.simulation.Mutant.Search.KEYS;

import java.util.List;

/** What the search must find of keys of unique jobs. */
final class KeyMutants {
    private KeyMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    KEYS,
                    "the policy of the job that is there decides",
                    "key-counts",
                    condition("!mustAsk && (row.states() & UniquePolicy.mask(holder.state())) != 0")),
            Mutant.of(
                    KEYS,
                    "only the newest of several duplicates is replaced",
                    "key-replaces-all",
                    to(
                            "if (replaced.isEmpty() && holder.phase() != Phase.OVER) replaced.addAll(decision.verdicts());")),
            Mutant.of(
                    KEYS,
                    "callers with other queues share keys",
                    "key-space",
                    to("claims.add(new KeyClaim(i, member.id, member.envelope.queue(), policy));")),
            Mutant.of(KEYS, "the oldest duplicate is named", "key-newest-first", deleted()),
            Mutant.of(KEYS, "a job that has ended is not remembered", "key-of-ended", condition("isOver")),
            Mutant.of(KEYS, "a key that a job takes is not looked up", "key-known", deleted()),
            Mutant.of(KEYS, "a job that has ended is remembered beyond its period", "key-remembered-until", deleted()));
}
