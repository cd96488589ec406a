package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The jobs of one tenant by queue and state. No counter follows them, so a bounded search counts them, the newest
 * first.
 */
final class TenantTally {
    /** The most jobs that are counted; the answer says if there are more. */
    static final int MOST = 10_000;

    private static final int PAGE = 200;
    private static final int MOST_PAGES = 200;

    private final Map<String, Map<JobState, Long>> byQueue = new TreeMap<>();
    private final Map<JobState, Long> all = new EnumMap<>(JobState.class);
    private long total;
    private boolean complete;

    private TenantTally() {}

    static TenantTally of(Call call, String tenant, JobPages pages) throws CommandFailed, RejectedException {
        TenantTally tally = new TenantTally();
        JobQuery query = new JobQuery(JobFilter.of().ofTenant(tenant), false, null);
        for (int i = 0; i < MOST_PAGES && tally.total < MOST; i++) {
            JobPages.Page page = pages.find(call, query, 0, PAGE);
            page.jobs().forEach(tally::count);
            if (page.next() == null) {
                tally.complete = true;
                break;
            }
            query = new JobQuery(query.filter(), false, page.next());
        }
        return tally;
    }

    private void count(byte[] job) {
        JobState state = MemberWalk.text(job, "state").flatMap(JobState::parse).orElseThrow();
        String queue = MemberWalk.text(job, "queue").orElseThrow();
        byQueue.computeIfAbsent(queue, name -> new EnumMap<>(JobState.class)).merge(state, 1L, Long::sum);
        all.merge(state, 1L, Long::sum);
        total++;
    }

    long total() {
        return total;
    }

    void write(JsonOut out) {
        out.field("total_jobs", total).field("complete", complete).name("jobs");
        write(all, out);
        out.beginArray("by_queue");
        byQueue.forEach((queue, states) -> {
            out.beginObject().field("queue", queue).name("jobs");
            write(states, out);
            out.endObject();
        });
        out.endArray();
    }

    private static void write(Map<JobState, Long> states, JsonOut out) {
        out.beginObject();
        for (JobState state : JobState.values()) out.field(state.wire(), states.getOrDefault(state, 0L));
        out.endObject();
    }
}
