package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the jobs that a bulk operation would be for, and does nothing to them. */
final class DryRun {
    private static final int AT_ONCE = 500;
    private static final int MAX_COUNTED = 20_000;
    private static final int EXAMPLES = 10;
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    private final JobPages pages;

    DryRun(Partitions partitions) {
        pages = new JobPages(partitions);
    }

    ApiResponse count(Call call, BulkAction action, JobFilter filter) throws CommandFailed, RejectedException {
        long began = System.nanoTime();
        long matched = 0;
        List<String> examples = new ArrayList<>();
        Map<String, Long> states = new TreeMap<>();
        JobId after = null;
        boolean complete;
        do {
            JobPages.Page page = pages.find(call, new JobQuery(filter, true, after), 0, AT_ONCE);
            for (byte[] job : page.jobs()) {
                matched++;
                states.merge(MemberWalk.text(job, "state").orElse(""), 1L, Long::sum);
                if (examples.size() < EXAMPLES) MemberWalk.text(job, "id").ifPresent(examples::add);
            }
            after = page.next();
            complete = after == null;
        } while (!complete && matched < MAX_COUNTED && System.nanoTime() - began < MAX_TIME.toNanos());
        return answer(action, matched, complete, states, examples);
    }

    /**
     * Returns the answer for named jobs, which are all meant; only the action itself finds out for which of them it is
     * possible.
     */
    static ApiResponse ofNamed(BulkAction action, List<JobId> named) {
        List<String> examples =
                named.stream().limit(EXAMPLES).map(JobId::toString).toList();
        return answer(action, named.size(), true, Map.of(), examples);
    }

    private static ApiResponse answer(
            BulkAction action, long matched, boolean complete, Map<String, Long> states, List<String> examples) {
        JsonOut out = JsonOut.object(1_024)
                .field("dry_run", true)
                .field("action", action.wire())
                .field("matched", matched)
                .field("total_matched", matched)
                .field("complete", complete)
                .beginObject("by_state");
        states.forEach(out::field);
        return ApiResponse.ok(out.endObject().field("examples", examples).endObject());
    }
}
