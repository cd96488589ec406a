package io.floodgate.gateway.job;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.QueueLoad;
import io.helidon.http.Header;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fill levels of the bounded queues of a request's jobs: the last ones that their partitions sent. */
final class QueueLoads {
    private final Map<String, QueueLoad> latest = new HashMap<>();
    private final CapacityCache doors;

    /** @param doors the cache that makes the loads known to all requests */
    QueueLoads(CapacityCache doors) {
        this.doors = doors;
    }

    /** Takes in the lines that a partition sends after those of {@code jobs} jobs; returns the lines of the jobs. */
    List<byte[]> hear(List<byte[]> lines, int jobs) {
        int end = Math.min(jobs, lines.size());
        for (byte[] line : lines.subList(end, lines.size())) hear(line);
        return lines.subList(0, end);
    }

    private void hear(byte[] line) {
        QueueLoad.inLine(line).ifPresent(load -> {
            latest.put(load.queue(), load);
            doors.heard(load);
        });
    }

    /** Warns the producer of the fullest queue among those that it should know of (OJS backpressure §7.3). */
    ApiResponse.Whole warn(ApiResponse.Whole answer) {
        Optional<QueueLoad> fullest = latest.values().stream()
                .filter(QueueLoad::isWarning)
                .max(Comparator.comparingDouble(QueueLoad::pressure));
        if (fullest.isEmpty()) return answer;
        ApiResponse.Whole warned = answer;
        for (Header header : fullest.get().headers()) warned = warned.with(header);
        return warned;
    }
}
