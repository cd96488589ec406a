package io.floodgate.gateway.admin;

import io.floodgate.gateway.admin.TenantFigures.Figures;
import io.floodgate.gateway.admin.TenantFigures.Share;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.queue.TenantResource;
import io.helidon.http.Status;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/** {@code /ojs/v1/admin/tenants} (OJS multi-tenancy §10): who shares queues with others, what of it he has and may have. */
public final class TenantAdministration {
    public static final int MAX_BODY = TenantBody.MAX_BYTES;

    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;
    private static final String KIND = "tenant";

    /** Upper bound of the tenants that are sorted by something other than their names. */
    private static final int MAX_SORTED = 1_000;

    /** Upper bound of the tenants with rejected jobs in the overview. */
    private static final int MAX_REJECTED = 5;

    private static final Map<String, ToDoubleBiFunction<TenantView, Figures>> ORDERS = Map.of(
            "depth", (view, tenant) -> tenant.depth(),
            "pressure", (view, tenant) -> TenantView.pressure(tenant),
            "rejected", TenantView::rejected);

    private final Partitions partitions;
    private final TenantFigures figures;
    private final JobPages pages;
    private final QueueOperations queues;
    private final StatusTable table;
    private final EventLog events;
    private final Clock clock;

    public TenantAdministration(
            Partitions partitions, QueueOperations queues, StatusTable table, EventLog events, Clock clock) {
        this.partitions = partitions;
        figures = new TenantFigures(partitions);
        pages = new JobPages(partitions);
        this.queues = queues;
        this.table = table;
        this.events = events;
        this.clock = clock;
    }

    private RejectedJobs rejected() {
        return RejectedJobs.of(events.all(), clock.instant());
    }

    private TenantView view() {
        return new TenantView(table, rejected());
    }

    /** Lists tenants with jobs, or a bound, in queues that bound their tenants. */
    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.besideCursor(call, PAGE, LARGEST_PAGE);
        String order = call.query("sort").orElse("name");
        if (!order.equals("name")) return sorted(call, order, paging);
        if (paging.offset() > 0)
            throw RequestFields.wrong("page", "Tenants are listed by name: go on from 'next_cursor'.");
        Optional<Tenant> only = Tenant.of(call);
        TenantFigures.Page page = only.isPresent()
                ? new TenantFigures.Page(List.of(figures.of(call, only.get().id())), null)
                : figures.list(call, cursor(call), paging.limit());
        JsonOut out = JsonOut.object(4_096).beginArray("items");
        write(page.tenants(), view(), out);
        out.endArray();
        long seen = page.tenants().size();
        String next = page.next();
        paging.write(next == null ? seen : seen + 1, next, out);
        return ApiResponse.ok(out.endObject());
    }

    /** The worst first. */
    private ApiResponse sorted(Call call, String order, Paging paging) throws CommandFailed, RejectedException {
        ToDoubleBiFunction<TenantView, Figures> by = ORDERS.get(order);
        if (by == null)
            throw RequestFields.wrong(
                    "sort",
                    "The query parameter 'sort' must be name, depth, pressure or rejected, not '%s'."
                            .formatted(Limits.echo(order)));
        Optional<Tenant> only = Tenant.of(call);
        TenantFigures.Page first = only.isPresent()
                ? new TenantFigures.Page(List.of(figures.of(call, only.get().id())), null)
                : figures.list(call, null, MAX_SORTED);
        TenantView view = view();
        Comparator<Figures> worst = Comparator.comparingDouble(tenant -> -by.applyAsDouble(view, tenant));
        List<Figures> page = first.tenants().stream()
                .sorted(worst.thenComparing(Figures::tenant))
                .skip(paging.offset())
                .limit(paging.limit())
                .toList();
        JsonOut out = JsonOut.object(4_096).beginArray("items");
        write(page, view, out);
        out.endArray();
        if (first.next() != null) out.field("sorted_of", MAX_SORTED);
        paging.write(first.tenants().size(), out);
        return ApiResponse.ok(out.endObject());
    }

    private static void write(List<Figures> tenants, TenantView view, JsonOut out) {
        for (Figures tenant : tenants) {
            view.write(tenant, out.beginObject());
            out.endObject();
        }
    }

    private static @Nullable String cursor(Call call) throws RejectedException {
        String cursor = Paging.ownCursor(call).orElse(null);
        if (cursor == null || TenantBounds.isName(cursor)) return cursor;
        throw Paging.wrongCursor();
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        return shown(known(call));
    }

    private ApiResponse shown(Figures tenant) {
        return ApiResponse.ok(json(tenant));
    }

    private JsonOut json(Figures tenant) {
        JsonOut out = JsonOut.object(1_024);
        view().write(tenant, out);
        return out.endObject();
    }

    /** The tenant in the path, as {@link #one} shows it. */
    public byte[] figures(Call call) throws CommandFailed, RejectedException {
        return json(known(call)).toBytes();
    }

    /** The same of the tenants of which most jobs were rejected lately; without any, no partition is asked. */
    public List<byte[]> ofRejected(Call call) throws CommandFailed, RejectedException {
        List<byte[]> found = new ArrayList<>();
        for (String tenant : rejected().tenants(MAX_REJECTED))
            found.add(json(figures.of(call, tenant)).toBytes());
        return found;
    }

    /** Answers how many jobs a tenant has in which states, in any queue. */
    public ApiResponse stats(Call call) throws CommandFailed, RejectedException {
        String id = id(call);
        Figures tenant = figures.of(call, id);
        TenantTally tally = TenantTally.of(call, id, pages);
        if (tenant.isNothing() && tally.total() == 0) throw unknown(id);
        JsonOut out = JsonOut.object(2_048).field("tenant_id", id);
        tally.write(out);
        TenantView.writeLimits(tenant, out);
        return ApiResponse.ok(out.endObject());
    }

    /** Sets or takes back its bounds: over all queues, and in those that are named, or else in all that there are. */
    public ApiResponse decide(Call call) throws CommandFailed, RejectedException {
        String id = id(call);
        TenantBody body = TenantBody.read(id, call.json());
        for (var bound : body.overAll().entrySet())
            decideOverAll(call, id, bound.getKey(), bound.getValue() == 0 ? null : bound.getValue());
        if (body.decidesDepth()) decideDepth(call, id, body);
        return shown(figures.of(call, id));
    }

    private void decideOverAll(Call call, String tenant, TenantResource resource, @Nullable Long bound)
            throws CommandFailed, RejectedException {
        partitions.by(call).ofTenant(tenant).askLine(new SetTenantBound(tenant, resource, bound));
    }

    private void decideDepth(Call call, String id, TenantBody body) throws CommandFailed, RejectedException {
        boolean areNamed = !body.queues().isEmpty();
        RejectedException first = null;
        for (String queue : areNamed ? body.queues() : all()) {
            try {
                decide(call, queue, id, body.depth(), areNamed);
            } catch (RejectedException rejected) {
                // One that cannot have it keeps it from none of the others.
                if (first == null) first = rejected;
            }
        }
        if (first != null) throw first;
    }

    private Set<String> all() throws RejectedException {
        Set<String> names = new LinkedHashSet<>();
        for (PublishedStatus status : table.page(0, TenantBody.MOST_QUEUES + 1)) names.add(status.name());
        if (names.isEmpty() || names.size() > TenantBody.MOST_QUEUES)
            throw RequestFields.wrong(
                    "queues",
                    "There are %s queues: name in 'queues' those in which the bound is to hold."
                            .formatted(names.isEmpty() ? "no" : "more than " + TenantBody.MOST_QUEUES));
        return names;
    }

    /** @param isNamed a queue that the request does not name may be on its way out, or gone: it is passed over, and not made again */
    private void decide(Call call, String queue, String tenant, @Nullable Long depth, boolean isNamed)
            throws CommandFailed, RejectedException {
        QueueConfig set = depth == null ? QueueConfig.NONE : QueueConfig.of(new TenantBounds(Map.of(tenant, depth)));
        Set<String> unset = depth == null ? Set.of(TenantBounds.PREFIX + tenant) : Set.of();
        try {
            queues.decide(call, new ConfigureQueue(queue, set, unset, !isNamed));
        } catch (RejectedException rejected) {
            if (isNamed || !isOnItsWayOut(rejected.rejection().code())) throw rejected;
        }
    }

    private static boolean isOnItsWayOut(ErrorCode code) {
        return code == ErrorCode.CONFLICT || code == ErrorCode.QUEUE_DRAINING || code == ErrorCode.NOT_FOUND;
    }

    /** Takes all its own bounds back; its jobs stay. */
    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        Figures tenant = known(call);
        for (TenantResource resource : tenant.overAll().keySet()) decideOverAll(call, tenant.tenant(), resource, null);
        Set<String> done = new LinkedHashSet<>();
        List<String> own = own(tenant);
        while (!own.isEmpty()) {
            for (String queue : own) if (done.add(queue)) decide(call, queue, tenant.tenant(), null, false);
            own = own(figures.of(call, tenant.tenant())).stream()
                    .filter(queue -> !done.contains(queue))
                    .toList();
        }
        return new ApiResponse.Empty(Status.NO_CONTENT_204, headers -> {});
    }

    private static List<String> own(Figures tenant) {
        return tenant.shares().stream().filter(Share::isOwn).map(Share::queue).toList();
    }

    // ---- who is meant

    /** The tenant in the path; a caller that names one in the header can see no other. */
    public static String id(Call call) throws RejectedException {
        String id = call.parameter("id");
        if (!TenantId.isTenant(id) && !id.equals(TenantId.DEFAULT))
            throw RequestFields.wrong(
                    "tenant_id",
                    "A tenant begins with a letter or digit, and goes on with those and '.', '_', ':', '-'; or it is '%s'."
                            .formatted(TenantId.DEFAULT));
        Optional<Tenant> only = Tenant.of(call);
        if (only.isPresent() && !only.get().id().equals(id)) throw unknown(id);
        return id;
    }

    private static RejectedException unknown(String id) {
        return new RejectedException(Rejection.notFound(KIND, id));
    }

    private Figures known(Call call) throws CommandFailed, RejectedException {
        String id = id(call);
        Figures tenant = figures.of(call, id);
        if (!tenant.isNothing()) return tenant;
        // It may have jobs where tenants make no difference.
        JobQuery any = new JobQuery(JobFilter.of().ofTenant(id), false, null);
        if (pages.find(call, any, 0, 1).jobs().isEmpty()) throw unknown(id);
        return tenant;
    }
}
