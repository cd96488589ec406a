package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantBounds;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tenants with a bound over all queues, or of queues that bound them: what they have there, and what they may have. */
public record TenantListing(Queues queues, TenantAccounts accounts, Effects out) {
    /** Most queues of a tenant that are listed by name; the number of further ones is shown. */
    static final int MOST_QUEUES = 100;

    public void list(ListTenants command) {
        int limit = Math.clamp(command.limit(), 1, ListTenants.MAX_LIMIT);
        List<Queue> bounding = bounding();
        TreeSet<String> names = new TreeSet<>();
        for (Queue queue : bounding) {
            TenantJobs tenants = queue.tenants;
            if (tenants != null) keepFirst(tenants.namesAfter(command.after()), command.after(), names, limit + 1);
            keepFirst(queue.config().tenants().depths().keySet(), command.after(), names, limit + 1);
        }
        keepFirst(accounts.bounded(), command.after(), names, limit + 1);
        boolean isCut = names.size() > limit;
        if (isCut) names.pollLast();
        JsonOut lines = JsonOut.object(4_096)
                .optional("next", isCut ? names.last() : null)
                .endObject()
                .newLine();
        names.forEach(name -> show(name, bounding, lines));
        out.reply(lines);
    }

    public void get(GetTenant command) {
        JsonOut lines = JsonOut.object(1_024).endObject().newLine();
        List<Queue> bounding = bounding();
        if (accounts.bounded().contains(command.tenant())
                || bounding.stream().anyMatch(queue -> concerns(command.tenant(), queue)))
            show(command.tenant(), bounding, lines);
        out.reply(lines);
    }

    private List<Queue> bounding() {
        return queues.all().stream()
                .filter(queue -> queue.countsTenants() && !queue.isGone())
                .toList();
    }

    private static void keepFirst(
            Collection<String> some, @Nullable String after, NavigableSet<String> names, int most) {
        for (String name : some) {
            boolean isBefore = after != null && name.compareTo(after) <= 0;
            if (isBefore || name.equals(TenantBounds.OTHERS)) continue;
            if (names.size() == most && name.compareTo(names.last()) >= 0) return;
            names.add(name);
            if (names.size() > most) names.pollLast();
        }
    }

    private static boolean concerns(String tenant, Queue queue) {
        return queue.depthOf(tenant) > 0 || isNamed(tenant, queue);
    }

    private static boolean isNamed(String tenant, Queue queue) {
        return queue.config().tenants().depths().containsKey(tenant);
    }

    private void show(String tenant, List<Queue> bounding, JsonOut lines) {
        lines.beginObject().field("tenant_id", tenant).beginArray("queues");
        long shown = 0;
        for (Queue queue : bounding) if (concerns(tenant, queue) && ++shown <= MOST_QUEUES) show(tenant, queue, lines);
        lines.endArray();
        accounts.show(tenant, MOST_QUEUES, lines);
        if (shown > MOST_QUEUES) lines.field("more_queues", shown - MOST_QUEUES);
        lines.endObject().newLine();
    }

    private static void show(String tenant, Queue queue, JsonOut lines) {
        TenantJobs tenants = queue.tenants;
        lines.beginObject()
                .field("queue", queue.name)
                .field("depth", queue.depthOf(tenant))
                .field("available", tenants == null ? 0 : tenants.ready(tenant).size());
        long bound = queue.config().tenants().of(tenant);
        if (bound > 0) lines.field("max_depth", bound);
        if (queue.tenantsCountedBefore() != null) lines.field("counted", false);
        lines.field("own", isNamed(tenant, queue)).endObject();
    }
}
