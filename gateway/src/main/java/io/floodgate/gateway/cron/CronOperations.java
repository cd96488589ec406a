package io.floodgate.gateway.cron;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.schema.SchemaCheck;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.calendar.Planning;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.ListSchedules;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import io.helidon.http.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /ojs/v1/cron} (OJS cron §8). Only gateways look into calendars: they send partitions the due times. */
public final class CronOperations {
    /** A list of a manager with the templates of its jobs. */
    public static final int MAX_BODY = 4 * 1024 * 1024;

    private static final int MOST_LISTED = 1_000;
    private static final int DEEPEST = 10_000;
    private static final int ATTEMPTS = 3;

    private final Partitions partitions;
    private final Clock clock;
    private final CronPreview preview;
    private final SchemaCheck schemas;

    public CronOperations(Partitions partitions, SchemaCheck schemas, Clock clock) {
        this.schemas = schemas;
        this.partitions = partitions;
        this.clock = clock;
        preview = new CronPreview(clock);
    }

    private List<byte[]> ask(Call call, String name, CronCommand command) throws CommandFailed, RejectedException {
        return partitions.by(call).ofSchedule(name).ask(command);
    }

    private RequestFields standing(Call call, String name) throws CommandFailed, RejectedException {
        return RequestFields.of(ask(call, name, new GetSchedule(name, false)).getFirst());
    }

    public static String name(Call call) throws RejectedException {
        return ScheduleReader.name(call.parameter("name"));
    }

    // ---- registration

    public ApiResponse register(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        String name = ScheduleReader.name(body.text("name"));
        PutSchedule command = ScheduleReader.read(name, body, null, null, call, clock.instant());
        List<String> warnings = warnings(call, command);
        List<byte[]> lines = ask(call, name, command);
        boolean isNew = "created".equals(change(lines));
        return shown(isNew ? Status.CREATED_201 : Status.OK_200, lines, warnings);
    }

    private static String change(List<byte[]> lines) throws RejectedException {
        return String.valueOf(RequestFields.of(lines.getLast()).text("change"));
    }

    /** Also throws for a template that its schema rejects: each of its jobs would be as wrong. */
    private List<String> warnings(Call call, PutSchedule command) throws CommandFailed, RejectedException {
        ScheduleSpec spec = command.spec();
        List<String> warnings = new ArrayList<>(
                ScheduleReader.timing(spec.expression(), spec.timezone()).warnings(clock.instant()));
        try {
            warnings.addAll(schemas.check(call, EnvelopeReader.read(spec.job().envelope())));
        } catch (UnreadableJob impossible) {
            throw new IllegalStateException("a template that was read before", impossible);
        }
        return warnings;
    }

    private ApiResponse shown(Status status, List<byte[]> lines, List<String> warnings) throws RejectedException {
        RequestFields schedule = RequestFields.of(lines.getFirst());
        JsonOut one = JsonOut.object(2_048);
        ScheduleJson.members(schedule, clock.instant(), true, one);
        byte[] whole = one.endObject().toBytes();
        JsonOut out =
                JsonOut.object(3 * whole.length + 256).fieldRaw("cron", whole).fieldRaw("cron_job", whole);
        ScheduleJson.members(schedule, clock.instant(), false, out);
        if (!warnings.isEmpty()) out.field("warnings", warnings);
        return ApiResponse.json(status, out.endObject());
    }

    /** Registers all schedules of a manager: a schedule that it does not list any more is removed. */
    public ApiResponse registerAll(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json().only(Set.of("managed_by", "crons"));
        String manager = body.text("managed_by", ScheduleSpec.MOST_NAME_CHARS);
        if (manager == null || manager.isBlank()) throw body.fault("managed_by", "'managed_by' is missing.");
        JsonNode list = body.tree("crons");
        if (list == null || !list.isArray() || list.size() > MOST_LISTED)
            throw body.fault("crons", "'crons' must be a list of at most %d schedules.".formatted(MOST_LISTED));
        List<PutSchedule> commands = new ArrayList<>();
        for (int i = 0; i < list.size(); i++)
            commands.add(managed(manager, list.get(i), "crons[%d].".formatted(i), call));
        if (commands.stream().map(PutSchedule::name).distinct().count() < commands.size())
            throw body.fault("crons", "'crons' has a name twice: list each schedule once.");
        List<String> warnings = new ArrayList<>();
        for (PutSchedule command : commands)
            for (String warning : warnings(call, command)) warnings.add("%s: %s".formatted(command.name(), warning));
        TreeMap<String, List<String>> changes = new TreeMap<>();
        for (PutSchedule command : commands)
            changes.computeIfAbsent(change(ask(call, command.name(), command)), change -> new ArrayList<>())
                    .add(command.name());
        List<String> kept = commands.stream().map(PutSchedule::name).toList();
        List<String> removed = new ArrayList<>();
        for (List<byte[]> lines : partitions.by(call).askAll("cron", new KeepSchedules(manager, kept)))
            removed.addAll(RequestFields.of(lines.getFirst()).texts("removed"));
        return ApiResponse.ok(JsonOut.object()
                .field("managed_by", manager)
                .field("created", changes.getOrDefault("created", List.of()))
                .field("changed", changes.getOrDefault("changed", List.of()))
                .field("unchanged", changes.getOrDefault("unchanged", List.of()))
                .field("removed", removed.stream().sorted().toList())
                .field("warnings", warnings)
                .endObject());
    }

    private PutSchedule managed(String manager, JsonNode each, String path, Call call) throws RejectedException {
        if (!(each instanceof ObjectNode object))
            throw RequestFields.wrong("crons", "'crons' must be a list of objects.");
        RequestFields fields =
                RequestFields.of(object.put("managed_by", manager).toString().getBytes(UTF_8), path);
        String name = ScheduleReader.name(fields.text("name"));
        return ScheduleReader.read(name, fields, null, null, call, clock.instant());
    }

    /** Changes some fields; the others stay as they are. */
    public ApiResponse change(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        RequestFields body = call.json();
        if (body.names().equals(Set.of("enabled"))) return enable(call, body.flag("enabled"), false);
        for (int attempt = 1; ; attempt++) {
            RequestFields before = standing(call, name);
            Long version = before.number("version").orElseThrow();
            PutSchedule command = ScheduleReader.read(name, body, before, version, call, clock.instant());
            List<String> warnings = warnings(call, command);
            try {
                return shown(Status.OK_200, ask(call, name, command), warnings);
            } catch (RejectedException changed) {
                if (changed.rejection().code() != ErrorCode.CONFLICT || attempt == ATTEMPTS) throw changed;
            }
        }
    }

    public ApiResponse pause(Call call) throws CommandFailed, RejectedException {
        return enable(call, false, false);
    }

    public ApiResponse resume(Call call) throws CommandFailed, RejectedException {
        Optional<String> catchUp = call.query("catch_up");
        if (catchUp.isPresent()
                && !catchUp.get().equals("latest")
                && !catchUp.get().equals("none"))
            throw RequestFields.wrong("catch_up", "On resuming, 'catch_up' is 'latest' or 'none'.");
        return enable(call, true, catchUp.isPresent() && catchUp.get().equals("latest"));
    }

    private ApiResponse enable(Call call, boolean enabled, boolean catchUp) throws CommandFailed, RejectedException {
        String name = name(call);
        SchedulePlan plan = SchedulePlan.NONE;
        if (enabled) {
            RequestFields before = standing(call, name);
            plan = Planning.plan(ScheduleJson.timing(before), clock.instant());
        }
        return shown(Status.OK_200, ask(call, name, new EnableSchedule(name, enabled, catchUp, plan)), List.of());
    }

    public ApiResponse delete(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        RequestFields schedule =
                RequestFields.of(ask(call, name, new DeleteSchedule(name)).getFirst());
        JsonOut one = JsonOut.object();
        ScheduleJson.members(schedule, null, true, one);
        byte[] whole = one.endObject().toBytes();
        return ApiResponse.ok(JsonOut.object()
                .field("deleted", true)
                .field("name", name)
                .fieldRaw("cron", whole)
                .fieldRaw("cron_job", whole)
                .endObject());
    }

    public ApiResponse trigger(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        boolean force = call.query("force").map(Boolean::parseBoolean).orElse(false);
        RequestFields run = RequestFields.of(
                ask(call, name, new TriggerSchedule(name, force)).getFirst());
        String job = String.valueOf(run.text("job_id"));
        return ApiResponse.json(
                Status.CREATED_201,
                JsonOut.object()
                        .field("job_id", job)
                        .field("id", job)
                        .field("name", name)
                        .field("waits_for_room", run.flag("waits_for_room"))
                        .field("waits_for_run", run.flag("waits_for_run"))
                        .endObject());
    }

    /** Runs it for all the times of a past period. */
    public ApiResponse backfill(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        RequestFields body = call.json().only(Set.of("from", "to"));
        Instant from = ScheduleReader.time(body, "from");
        Instant to = ScheduleReader.time(body, "to");
        if (from.isAfter(to)) throw body.fault("from", "'from' must not be after 'to'.");
        if (to.isAfter(clock.instant()))
            throw body.fault("to", "'to' must be past: what is to come is run when it is due.");
        RequestFields schedule = standing(call, name);
        int most = BackfillSchedule.MOST;
        List<Instant> times = ScheduleJson.next(schedule, from.minusMillis(1), most + 1).stream()
                .filter(time -> !time.isAfter(to))
                .toList();
        if (times.size() > most)
            throw body.fault(
                    "to", "The schedule was due more than %d times: ask for a shorter period.".formatted(most));
        if (times.isEmpty()) mustHaveBegun(schedule, to);
        RequestFields runs = RequestFields.of(
                ask(call, name, new BackfillSchedule(name, times)).getFirst());
        return ApiResponse.ok(JsonOut.object()
                .field("name", name)
                .field("count", times.size())
                .fieldRaw("runs", Objects.requireNonNull(runs.raw("runs")))
                .endObject());
    }

    /** An interval has no times before its first one. */
    private static void mustHaveBegun(RequestFields schedule, Instant to) throws RejectedException {
        Timing timing = ScheduleJson.timing(schedule);
        Duration every = timing.every();
        if (every == null) return;
        Instant first = ScheduleJson.anchor(schedule).plus(every);
        if (to.isBefore(first))
            throw RequestFields.wrong(
                    "to",
                    "The first time of '%s' is %s, since an interval counts from its registration: ask for a period that reaches it."
                            .formatted(timing.expression(), Timestamps.format(first)));
    }

    // ---- reading

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        return shown(Status.OK_200, ask(call, name, new GetSchedule(name, false)), List.of());
    }

    public ApiResponse list(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call).within(DEEPEST);
        String enabled = call.query("enabled").orElse(null);
        if (enabled != null && !enabled.equals("true") && !enabled.equals("false"))
            throw RequestFields.wrong("enabled", "'enabled' is true or false.");
        TreeMap<String, RequestFields> found = new TreeMap<>();
        List<PartitionId> logs = partitions.all();
        List<List<byte[]>> first = partitions.by(call).askAll("cron", new ListSchedules(ListSchedules.MAX_LIMIT, null));
        for (int i = 0; i < logs.size(); i++)
            for (RequestFields each : all(call, logs.get(i), first.get(i)))
                if (ScheduleFilter.matches(each, enabled, call)) found.put(String.valueOf(each.text("name")), each);
        JsonOut items = new JsonOut(4_096).beginArray();
        List<RequestFields> page = found.values().stream()
                .skip(paging.offset())
                .limit(paging.limit())
                .toList();
        boolean last = call.query("last").map(Boolean::parseBoolean).orElse(false);
        List<CompletableFuture<Reply>> histories = last ? histories(call, page) : List.of();
        for (int i = 0; i < page.size(); i++) {
            items.beginObject();
            ScheduleJson.members(page.get(i), null, true, items);
            if (last) items.optionalRaw("last_outcome", ScheduleFilter.latest(histories.get(i)));
            items.endObject();
        }
        byte[] all = items.endArray().toBytes();
        JsonOut out = JsonOut.object(3 * all.length + 256)
                .fieldRaw("crons", all)
                .fieldRaw("cron_jobs", all)
                .fieldRaw("items", all)
                .field("count", page.size())
                .field("total", found.size());
        paging.write(found.size(), out);
        return ApiResponse.ok(out.endObject());
    }

    /** Asks for the histories of all schedules at once. */
    private List<CompletableFuture<Reply>> histories(Call call, List<RequestFields> schedules)
            throws RejectedException {
        List<CompletableFuture<Reply>> asked = new ArrayList<>();
        for (RequestFields schedule : schedules) {
            String name = String.valueOf(schedule.text("name"));
            asked.add(partitions.by(call).ofSchedule(name).send(new GetSchedule(name, true)));
        }
        return asked;
    }

    /** @param first its first page */
    private List<RequestFields> all(Call call, PartitionId log, List<byte[]> first)
            throws CommandFailed, RejectedException {
        List<RequestFields> all = new ArrayList<>();
        List<byte[]> lines = first;
        while (true) {
            for (byte[] line : lines.subList(0, lines.size() - 1)) all.add(RequestFields.of(line));
            if (!RequestFields.of(lines.getLast()).flag("more") || all.isEmpty()) return all;
            var query = new ListSchedules(ListSchedules.MAX_LIMIT, all.getLast().text("name"));
            lines = partitions.by(call).owner(log, "cron").ask(query);
        }
    }

    /** The schedule with its last outcomes, as its partition shows it. */
    public byte[] figures(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        return ask(call, name, new GetSchedule(name, true)).getFirst();
    }

    /** The same, by its name. */
    public byte[] figures(String name) throws CommandFailed, RejectedException {
        return partitions.ofSchedule(name).askLine(new GetSchedule(name, true));
    }

    public ApiResponse history(Call call) throws CommandFailed, RejectedException {
        String name = name(call);
        RequestFields schedule =
                RequestFields.of(ask(call, name, new GetSchedule(name, true)).getFirst());
        byte[] history = schedule.raw("history");
        byte[] shown = history == null ? new byte[] {'[', ']'} : history;
        return ApiResponse.ok(JsonOut.object()
                .field("name", name)
                .fieldRaw("executions", shown)
                .fieldRaw("items", shown)
                .endObject());
    }

    public ApiResponse next(Call call) throws CommandFailed, RejectedException {
        return preview.next(call, name(call), standing(call, name(call)));
    }

    /** The same for one that is not registered. */
    public ApiResponse preview(Call call) throws RejectedException {
        return preview.preview(call);
    }
}
