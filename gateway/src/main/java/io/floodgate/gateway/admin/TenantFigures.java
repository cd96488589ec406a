package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The counts of tenants in all partitions: a tenant has jobs in queues of several. Each partition gives a slice of the
 * names; up to the end of the shortest slice nothing is missing.
 */
record TenantFigures(Partitions partitions) {
    /** Most queues of a tenant that are shown with its bound over all queues. */
    private static final int MOST_QUEUES = 100;

    /**
     * A queue that bounds its tenants, as one of them sees it.
     *
     * @param bound null if this tenant has none there
     * @param isOwn it is this tenant's, not that of all who are not named
     * @param isCounted all of its jobs are; otherwise only some of them yet
     */
    record Share(
            String queue,
            long depth,
            long available,
            @Nullable Long bound,
            boolean isOwn,
            boolean isCounted) {
        /** Returns from 0 to 1 how near the bound is. */
        double pressure() {
            return bound == null || bound == 0 ? 0 : Math.min(1, (double) depth / bound);
        }
    }

    /**
     * A bound over all queues, and what is used of it.
     *
     * @param isOpen it holds, as far as partitions have answered
     * @param used of it
     */
    record OverAll(long bound, boolean isOpen, long used, Map<String, Long> queues) {
        private static OverAll read(JsonNode node) {
            Map<String, Long> queues = new TreeMap<>();
            node.get("queues")
                    .propertyStream()
                    .forEach(
                            queue -> queues.put(queue.getKey(), queue.getValue().longValue()));
            return new OverAll(
                    node.get("maximum").longValue(),
                    node.get("open").booleanValue(),
                    node.get("used").longValue(),
                    queues);
        }

        private OverAll and(OverAll other) {
            Map<String, Long> all = new TreeMap<>(queues);
            all.putAll(other.queues);
            // A partition may not have been told of a change yet.
            return new OverAll(Math.max(bound, other.bound), isOpen && other.isOpen, used + other.used, all);
        }

        double pressure() {
            return Math.min(1, (double) used / bound);
        }

        /** Returns the queues that use most of it, these first. */
        List<Map.Entry<String, Long>> worst() {
            return queues.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_QUEUES)
                    .toList();
        }
    }

    /**
     * @param more queues that are not listed
     * @param overAll the bounds over all queues that it has
     */
    record Figures(String tenant, List<Share> shares, long more, Map<TenantResource, OverAll> overAll) {
        static Figures none(String tenant) {
            return new Figures(tenant, List.of(), 0, Map.of());
        }

        boolean isNothing() {
            return shares.isEmpty() && overAll.isEmpty();
        }

        Figures and(Figures other) {
            List<Share> all = new ArrayList<>(shares);
            all.addAll(other.shares);
            all.sort(Comparator.comparing(Share::queue));
            Map<TenantResource, OverAll> both = new TreeMap<>(overAll);
            other.overAll.forEach((resource, more) -> both.merge(resource, more, OverAll::and));
            return new Figures(tenant, all, more + other.more, both);
        }

        long depth() {
            OverAll all = overAll.get(TenantResource.JOBS);
            return all == null ? shares.stream().mapToLong(Share::depth).sum() : all.used;
        }
    }

    /** @param next the cursor of the next page; null where there is none */
    record Page(List<Figures> tenants, @Nullable String next) {}

    private record Slice(
            TreeMap<String, Figures> tenants, @Nullable String end) {}

    Figures of(Call call, String tenant) throws CommandFailed, RejectedException {
        return ask(call, new GetTenant(tenant)).tenants.getOrDefault(tenant, Figures.none(tenant));
    }

    /** Lists tenants by name. */
    Page list(Call call, @Nullable String after, int limit) throws CommandFailed, RejectedException {
        List<Figures> found = new ArrayList<>();
        String reached = after;
        do {
            Slice slice = ask(call, new ListTenants(Math.min(limit + 1, ListTenants.MAX_LIMIT), reached));
            found.addAll(slice.tenants.values());
            reached = slice.end;
        } while (reached != null && found.size() <= limit);
        if (found.size() <= limit) return new Page(found, null);
        List<Figures> page = found.subList(0, limit);
        return new Page(page, page.getLast().tenant);
    }

    private Slice ask(Call call, AdminCommand command) throws CommandFailed, RejectedException {
        TreeMap<String, Figures> all = new TreeMap<>();
        String end = null;
        for (List<byte[]> lines : partitions.by(call).askAll("tenants", command)) {
            call.makeRoom(lines);
            String next = Json.tree(lines.getFirst()).path("next").asString("");
            if (!next.isEmpty() && (end == null || next.compareTo(end) < 0)) end = next;
            for (byte[] line : lines.subList(1, lines.size())) {
                Figures figures = read(Json.tree(line));
                all.merge(figures.tenant, figures, Figures::and);
            }
        }
        return new Slice(end == null ? all : new TreeMap<>(all.headMap(end, true)), end);
    }

    private static Figures read(JsonNode line) {
        List<Share> shares = new ArrayList<>();
        for (JsonNode queue : line.get("queues"))
            shares.add(new Share(
                    queue.get("queue").stringValue(),
                    queue.get("depth").longValue(),
                    queue.get("available").longValue(),
                    queue.has("max_depth") ? (Long) queue.get("max_depth").longValue() : null,
                    queue.path("own").booleanValue(false),
                    queue.path("counted").booleanValue(true)));
        return new Figures(
                line.get("tenant_id").stringValue(),
                shares,
                line.path("more_queues").longValue(0),
                overAll(line));
    }

    private static Map<TenantResource, OverAll> overAll(JsonNode line) {
        Map<TenantResource, OverAll> bounds = new TreeMap<>();
        for (TenantResource resource : TenantResource.values())
            if (line.has(resource.limit())) bounds.put(resource, OverAll.read(line.get(resource.limit())));
        return bounds;
    }
}
