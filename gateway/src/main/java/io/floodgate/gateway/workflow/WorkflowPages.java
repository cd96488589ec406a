package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.workflow.WorkflowId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workflows of all partitions, newest first. */
record WorkflowPages(Partitions partitions) {
    /** @param id by which it is sorted */
    private record Entry(String id, byte[] json) {}

    private static String key(byte[] workflow) {
        return MemberWalk.text(workflow, "id")
                .flatMap(WorkflowId::parse)
                .orElseThrow()
                .key()
                .toString();
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.besideCursor(call).within(ListWorkflows.MAX_LIMIT - 1);
        int wanted = Math.min(ListWorkflows.MAX_LIMIT, paging.offset() + paging.limit());
        ListWorkflows command = new ListWorkflows(
                call.query("state").orElse(null), call.query("name").orElse(null), wanted, cursor(call));
        List<Entry> found = new ArrayList<>();
        long unshown = 0;
        String next = null;
        for (List<byte[]> lines : partitions.by(call).askAll("workflows", command)) {
            // What is older than the newest of those that a partition has not shown stands on a later page.
            String more = MemberWalk.text(lines.getFirst(), "next").orElse(null);
            unshown +=
                    Long.parseLong(MemberWalk.text(lines.getFirst(), "unshown").orElse("0"));
            if (more != null && (next == null || more.compareTo(next) > 0)) next = more;
            for (byte[] line : lines.subList(1, lines.size())) found.add(new Entry(key(line), line));
        }
        Optional<Tenant> tenant = Tenant.of(call);
        if (tenant.isPresent())
            found.removeIf(entry -> !MemberWalk.text(entry.json, "tenant_id")
                    .equals(Optional.of(tenant.get().id())));
        // What a partition has not shown may be of other tenants.
        long total = found.size() + (tenant.isPresent() ? 0 : unshown);
        found.sort(Comparator.comparing(Entry::id).reversed());
        String last = next;
        if (last != null) found.removeIf(entry -> entry.id.compareTo(last) < 0);
        return page(found, total, paging, next);
    }

    private static @Nullable JobId cursor(Call call) throws RejectedException {
        Optional<String> text = Paging.ownCursor(call);
        if (text.isEmpty()) return null;
        return JobId.parse(text.get()).orElseThrow(Paging::wrongCursor);
    }

    private static ApiResponse page(List<Entry> found, long total, Paging paging, @Nullable String next) {
        int end = Math.min(found.size(), paging.offset() + paging.limit());
        List<Entry> page = found.subList(Math.min(paging.offset(), end), end);
        String cursor = end < found.size() && !page.isEmpty() ? page.getLast().id : next;
        JsonOut out = JsonOut.object(8_192);
        for (String name : List.of("workflows", "items")) {
            out.beginArray(name);
            page.forEach(entry -> out.raw(entry.json));
            out.endArray();
        }
        paging.write(total, cursor, out);
        return ApiResponse.ok(out.endObject());
    }
}
