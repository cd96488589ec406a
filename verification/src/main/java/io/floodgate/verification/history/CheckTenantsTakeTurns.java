package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.Deleted;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks at queues whose tenants take turns, without weights, from when nothing was available there: jobs that were there before
 * are sorted by and by. Like {@link CheckVictims} it leaves out queues that batches over several logs come to, since a job
 * that is to make room for one cannot start, which no event shows.
 */
final class CheckTenantsTakeTurns {
    static final Check CHECK = new Check(
            "while a tenant waits for its turn, no other tenant starts more than two jobs of the same priority",
            CheckTenantsTakeTurns::find);

    /** Of one tenant, between two of another one that waits: the second where both have the same turn. */
    private static final int MAX_STARTS = 2;

    private CheckTenantsTakeTurns() {}

    private static void find(History history, List<Violation> found) {
        Map<String, OfferedJob> jobs = new HashMap<>();
        Set<String> unseen = new HashSet<>();
        for (Offered offered : history.all(Offered.class)) {
            for (OfferedJob job : offered.jobs()) jobs.put(job.id(), job);
            if (!offered.inOneStep()) unseen.addAll(offered.queues());
        }
        history.eventsByQueue().forEach((name, events) -> {
            if (unseen.contains(name)) return;
            Turns turns = new Turns(jobs, found);
            events.forEach(turns::apply);
        });
    }

    /** A tenant with available jobs of a priority, and what others have started since its last start, or since it waits. */
    private static final class Waiting {
        private final Set<String> jobs = new HashSet<>();
        private final Map<String, Integer> startsOfOthers = new TreeMap<>();
    }

    private static final class Turns {
        private final Map<String, OfferedJob> known;
        private final List<Violation> found;
        private final Map<Integer, Map<String, Waiting>> waiting = new TreeMap<>();
        private final Set<String> available = new HashSet<>();
        private boolean isFair;
        private boolean isWatched;

        Turns(Map<String, OfferedJob> known, List<Violation> found) {
            this.known = known;
            this.found = found;
        }

        void apply(QueueEvent event) {
            switch (event) {
                case Configured c -> isFair = c.isFair();
                case Deleted d -> {
                    isFair = false;
                    available.clear();
                    waiting.clear();
                }
                case Dropped d -> {}
                case JobMoved moved -> {
                    OfferedJob job = known.get(moved.job());
                    if (job != null) move(moved, job);
                }
            }
            if (!isFair) isWatched = false;
            else if (available.isEmpty()) isWatched = true;
        }

        private void move(JobMoved moved, OfferedJob job) {
            Map<String, Waiting> tenants = waiting.computeIfAbsent(job.priority(), priority -> new TreeMap<>());
            if (moved.type().equals("job.started") && isWatched) start(job, tenants);
            if (moved.state().equals("available")) {
                available.add(job.id());
                tenants.computeIfAbsent(job.tenant(), tenant -> new Waiting())
                        .jobs
                        .add(job.id());
            } else if (available.remove(job.id())) {
                Waiting own = tenants.get(job.tenant());
                if (own == null) return;
                own.jobs.remove(job.id());
                if (own.jobs.isEmpty()) tenants.remove(job.tenant());
            }
        }

        private void start(OfferedJob job, Map<String, Waiting> tenants) {
            tenants.forEach((tenant, other) -> {
                if (tenant.equals(job.tenant())) other.startsOfOthers.clear();
                else if (other.startsOfOthers.merge(job.tenant(), 1, Integer::sum) > MAX_STARTS)
                    found.add(new Violation(
                            job.id(),
                            "it started as one of %d jobs of '%s' while '%s' was waiting"
                                    .formatted(other.startsOfOthers.get(job.tenant()), job.tenant(), tenant)));
            });
        }
    }
}
