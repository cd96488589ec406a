package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueCount.Standing;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the order only in queues that no batch over several logs comes to: such a batch chooses its victims when it
 * is reserved, and no event shows that before it is stored.
 */
final class CheckVictims {
    static final Check CHECK = new Check(
            "a job that makes room is available, of the lowest priority, and of those the oldest", CheckVictims::find);

    private CheckVictims() {}

    private static void find(History history, List<Violation> found) {
        Offers offers = Offers.of(history);
        history.eventsByQueue().values().forEach(events -> {
            QueueCount queue = new QueueCount();
            for (QueueEvent event : events) {
                queue.apply(event);
                if (event instanceof Dropped dropped) {
                    String wrong = wrong(dropped, queue, offers);
                    if (wrong != null) found.add(new Violation(dropped.job(), wrong));
                }
            }
        });
    }

    private static @Nullable String wrong(Dropped dropped, QueueCount queue, Offers offers) {
        Standing victim = queue.beforeTheEnd(dropped.job());
        if (victim == null) return "it was dropped, and had not come in";
        if (!victim.isAvailable()) return "it was dropped while it was " + victim.state();
        if (offers.unseen.contains(dropped.queue())) return null;
        return queue.live().stream()
                .filter(other -> other.isAvailable() && offers.isSurelyBefore(other, victim))
                .findFirst()
                .map(other -> "it was dropped although %s was to be dropped before it".formatted(other.job()))
                .orElse(null);
    }

    /** What was offered: how urgent, and where victims can be chosen long before they are dropped. */
    private record Offers(Map<String, Integer> priorities, Set<String> unseen) {
        static Offers of(History history) {
            Map<String, Integer> priorities = new HashMap<>();
            Set<String> unseen = new HashSet<>();
            for (Offered offered : history.all(Offered.class)) {
                for (OfferedJob job : offered.jobs()) priorities.put(job.id(), job.priority());
                if (!offered.inOneStep()) unseen.addAll(offered.queues());
            }
            return new Offers(priorities, unseen);
        }

        boolean isSurelyBefore(Standing other, Standing victim) {
            Integer ofOther = priorities.get(other.job());
            Integer ofVictim = priorities.get(victim.job());
            if (ofOther == null || ofVictim == null) return false;
            return ofOther < ofVictim || (ofOther.equals(ofVictim) && other.rank() < victim.rank());
        }
    }
}
