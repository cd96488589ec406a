package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueCount.Standing;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Of jobs whose priority is known, which is that of all that were offered by those who took it down. */
final class CheckVictims implements Check {
    @Override
    public String claim() {
        return "a job that makes room is available, of the lowest priority, and of those the oldest";
    }

    @Override
    public List<Violation> violations(History history) {
        Offers offers = Offers.of(history);
        List<Violation> found = new ArrayList<>();
        history.eventsByQueue().values().forEach(events -> {
            QueueCount queue = new QueueCount();
            for (QueueEvent event : events) {
                queue.apply(event);
                if (event instanceof Dropped dropped) {
                    String wrong = wrong(dropped.job(), queue, offers);
                    if (wrong != null) found.add(new Violation(dropped.job(), wrong));
                }
            }
        });
        return found;
    }

    private static @Nullable String wrong(String job, QueueCount queue, Offers offers) {
        Standing victim = queue.beforeTheEnd(job);
        if (victim == null) return "it was dropped, and had not come in";
        if (!victim.isAvailable()) return "it was dropped while it was " + victim.state();
        return queue.live().stream()
                .filter(other -> other.isAvailable() && offers.isSurelyBefore(other, victim))
                .findFirst()
                .map(other -> "it was dropped although %s was to be dropped before it".formatted(other.job()))
                .orElse(null);
    }

    /** What was offered: how urgent, and whether it had a place in line before anybody could see it. */
    private record Offers(Map<String, Integer> priorities, Set<String> reserved) {
        static Offers of(History history) {
            Map<String, Integer> priorities = new HashMap<>();
            Set<String> reserved = new HashSet<>();
            for (Offered offered : history.all(Offered.class))
                for (OfferedJob job : offered.jobs()) {
                    priorities.put(job.id(), job.priority());
                    if (offered.isOverSeveralQueues()) reserved.add(job.id());
                }
            return new Offers(priorities, reserved);
        }

        boolean isSurelyBefore(Standing other, Standing victim) {
            Optional<Integer> ofOther = Optional.ofNullable(priorities.get(other.job()));
            Optional<Integer> ofVictim = Optional.ofNullable(priorities.get(victim.job()));
            if (ofOther.isEmpty() || ofVictim.isEmpty()) return false;
            int difference = ofOther.get() - ofVictim.get();
            return difference < 0
                    || (difference == 0 && other.rank() < victim.rank() && !reserved.contains(victim.job()));
        }
    }
}
