package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.QueueStanding.LostWorker;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workers that fell silent while they ran jobs of a queue, as far as the events that this gateway has kept tell. */
final class LostWorkers {
    private static final String OF_LOST_RUN = "worker_death";

    private LostWorkers() {}

    static List<LostWorker> of(List<OjsEvent> events, String queue, Instant now) {
        Instant since = now.minus(Thresholds.WORKERS_LOST);
        Map<String, LostWorker> lost = new LinkedHashMap<>();
        for (OjsEvent event : events) {
            if (!event.type().equals("job.failed") || !queue.equals(event.queue())) continue;
            Instant at = Timestamps.parse(event.time()).orElse(Instant.EPOCH);
            if (at.isBefore(since)) continue;
            Facts failure = Facts.of(event.json()).inside("data").inside("error");
            String worker = failure.text("worker_id");
            if (!OF_LOST_RUN.equals(failure.text("type")) || worker == null) continue;
            lost.merge(
                    worker,
                    new LostWorker(worker, at, 1),
                    (one, more) -> new LostWorker(worker, more.at(), one.jobs() + more.jobs()));
        }
        return new ArrayList<>(lost.values());
    }
}
