package io.floodgate.gateway.workflow;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.capacity.Demand;
import io.floodgate.gateway.event.EndWait;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.BlockTimeout;
import io.floodgate.gateway.job.DepthCheck;
import io.floodgate.gateway.job.Enqueues;
import io.floodgate.gateway.job.JobOrigin;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.schema.SchemaCheck;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowJson;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /ojs/v1/workflows} (OJS workflows §11, HTTP binding §14). */
public final class WorkflowOperations {
    public static final String PATH = "/ojs/v1/workflows";

    /** Bytes of a workflow that cost a partition as much as one command. */
    private static final int BYTES_OF_ONE = 4_096;

    /** An answer of this size takes milliseconds to make. */
    private static final int LARGE_BYTES = 128 * 1024;

    private final EndWait ends;
    private final Partitions partitions;
    private final Ids ids;
    private final Overload overload;
    private final DepthCheck depth;
    private final SchemaCheck schemas;
    /** Large answers are made one after the other, so that readers of them leave the processors to others. */
    private final Semaphore turn = new Semaphore(1, true);

    public WorkflowOperations(
            Partitions partitions, Ids ids, CapacityCache doors, Overload overload, SchemaCheck schemas, EndWait ends) {
        this.ends = ends;
        this.schemas = schemas;
        depth = new DepthCheck(partitions, doors, overload);
        this.partitions = partitions;
        this.ids = ids;
        this.overload = overload;
    }

    public ApiResponse create(Call call) throws CommandFailed, RejectedException {
        JobOrigin origin = JobOrigin.of(call);
        WorkflowPlan plan = call.read(body -> read(body, origin));
        for (String queue : plan.queues()) call.caller().mustUse(queue);
        List<String> warnings = schemas.check(call, plan.wholeJobs(), "workflow");
        WorkflowId given = plan.id();
        WorkflowId id = given == null ? WorkflowId.of(ids.job(plan.firstQueue())) : given;
        Duration wait = BlockTimeout.of(call);
        if (given == null) rejectIfFull(call, plan, wait);
        List<byte[]> lines = bring(call, id, plan, plan.bytes(), wait, home -> create(home, plan.withId(id), wait));
        JsonOut shown = shown(lines, warnings);
        return ApiResponse.json(Status.CREATED_201, shown)
                .with(HeaderValues.create(HeaderNames.LOCATION, PATH + "/" + id));
    }

    /** Jobs that begin a workflow must have room. Whether a given id is taken, which goes first, only its home knows. */
    private void rejectIfFull(Call call, WorkflowPlan plan, Duration wait) throws CommandFailed, RejectedException {
        List<Demand> demands = Demand.byQueue(plan.firstJobs(), Enqueues.from(call, wait, true));
        Optional<Rejection> full = depth.reject(call, demands, List.of(), Enqueues.part(call, plan.firstQueue()));
        if (full.isPresent()) throw new RejectedException(full.get());
    }

    private static CreateWorkflow create(Partitions.Owner home, WorkflowPlan plan, Duration wait)
            throws CommandFailed, RejectedException {
        if (!WorkflowInParts.isNeeded(plan)) return new CreateWorkflow(WorkflowJson.write(plan), wait);
        return new WorkflowInParts(home, Objects.requireNonNull(plan.id()).key()).upload(plan, wait);
    }

    /** Makes a command, and sends what has to go ahead of it. */
    private interface Bringing {
        WorkflowCommand command(Partitions.Owner home) throws CommandFailed, RejectedException;
    }

    /**
     * Sends a command that brings jobs to the home of a workflow, when it is its turn.
     *
     * @param bytes of the jobs
     * @param wait for how long they may wait for room in their queues
     */
    private List<byte[]> bring(
            Call call, WorkflowId id, WorkflowPlan jobs, long bytes, Duration wait, Bringing bringing)
            throws CommandFailed, RejectedException {
        Partitions.Owner home = partitions.by(call).ofJob(id.key());
        String part = Enqueues.part(call, jobs.firstQueue());
        try (Overload.Pass pass =
                overload.enter(home.partition(), call.source(), part, 1 + (int) (bytes / BYTES_OF_ONE))) {
            WorkflowCommand command = bringing.command(home);
            if (!wait.isZero()) pass.closeIn(overload.settings().line().target());
            Reply reply = home.within(partitions.patience().plus(wait)).call(command);
            pass.answered();
            return Partitions.lines(reply);
        }
    }

    private static WorkflowPlan read(byte[] body, JobOrigin origin) throws RejectedException {
        rejectIfLarger(body, WorkflowReader.MAX_BYTES);
        try {
            return origin.completes() ? WorkflowReader.read(body, origin::complete) : WorkflowReader.read(body);
        } catch (UnreadableWorkflow unreadable) {
            throw new RejectedException(unreadable.rejection());
        }
    }

    static void rejectIfLarger(byte[] body, int most) throws RejectedException {
        if (body.length > most)
            throw new RejectedException(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The workflow has %d bytes; at most %d are accepted.".formatted(body.length, most))
                    .with("max_workflow_bytes", most));
    }

    public ApiResponse get(Call call) throws CommandFailed, RejectedException {
        awaitEnd(call);
        WorkflowAnswer workflow = standing(call);
        boolean laidOut = call.query("layout").filter("true"::equals).isPresent();
        JsonOut out = inTurn(workflow.bytes(), () -> {
            JsonOut written = workflow.write(new JsonOut(8_192));
            if (laidOut) Layout.write(workflow.steps(), written);
            return written;
        });
        call.makeRoom(out.length());
        return ApiResponse.ok(out.endObject());
    }

    /** Waits for the end of the workflow if the request says so. Returns whether it has not ended then. */
    private boolean awaitEnd(Call call) throws CommandFailed, RejectedException {
        Duration wait = EndWait.asked(call);
        if (wait.isZero()) return false;
        WorkflowAnswer last =
                ends.await(id(call).text(), wait, () -> load(call, 1, 1, false), workflow -> !isRunning(workflow));
        return isRunning(last);
    }

    private static boolean isRunning(WorkflowAnswer workflow) {
        return workflow.head().path("state").asString().equals("running");
    }

    private <T> T inTurn(long bytes, Supplier<T> work) {
        if (bytes < LARGE_BYTES) return work.get();
        turn.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            turn.release();
        }
    }

    /** The workflow in the path, with its steps as they stand now. */
    public WorkflowAnswer standing(Call call) throws CommandFailed, RejectedException {
        return live(call, load(call, 1, GetWorkflow.MAX_LIMIT, false));
    }

    /**
     * The workflow with its first steps as they stand now.
     *
     * @param steps how many
     */
    public WorkflowAnswer standing(JobId id, int steps) throws CommandFailed, RejectedException {
        GetWorkflow command = new GetWorkflow(id, 1, steps, false);
        WorkflowAnswer workflow = WorkflowAnswer.of(partitions.ofJob(id).ask(command));
        List<JobId> placed = workflow.placed();
        if (!placed.isEmpty()) workflow.complete(StepStates.of(partitions, placed));
        return workflow;
    }

    /** Answers with the progress of a workflow, in figures. */
    public ApiResponse progress(Call call) throws CommandFailed, RejectedException {
        WorkflowAnswer workflow = standing(call);
        JsonNode head = workflow.head();
        long total = head.path("jobs_total").longValue();
        JsonNode metadata = head.path("metadata");
        long completed = metadata.path("completed_count").longValue();
        long failed = metadata.path("failed_count").longValue();
        long cancelled = metadata.path("cancelled_count").longValue();
        return ApiResponse.ok(JsonOut.object()
                .field("workflow_id", workflow.id())
                .field("type", head.path("type").asString())
                .field("state", head.path("state").asString())
                .field("progress", total == 0 ? 1 : (double) completed / total)
                .field("total", total)
                .field("completed", completed)
                .field("failed", failed)
                .field("cancelled", cancelled)
                .field("active", workflow.count("active"))
                .field("pending", workflow.count("pending"))
                .field("waiting", workflow.count("waiting"))
                .field("steps_omitted", workflow.total() - workflow.steps().size())
                .field("percent", total == 0 ? 100 : 100 * (completed + failed + cancelled) / total)
                .endObject());
    }

    /** The results of its steps, in pages. */
    public ApiResponse results(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call);
        if (awaitEnd(call))
            throw new RejectedException(Rejection.of(
                            ErrorCode.REQUEST_TIMEOUT, "The workflow had not ended when the time to wait was over.")
                    .with("state", "running"));
        WorkflowAnswer workflow = page(call, paging, true);
        JsonOut out = JsonOut.object(8_192)
                .field("workflow_id", workflow.id())
                .field("state", workflow.head().path("state").asString())
                .beginArray("results");
        for (ObjectNode step : workflow.steps()) {
            if (!hasOutcome(step)) continue;
            out.beginObject()
                    .field("step", step.path("id").asString())
                    .field("job_id", step.path("job_id").asString());
            writeOutcome(step, out);
            out.endObject();
        }
        out.endArray();
        paging.write(workflow.total(), out);
        call.makeRoom(out.length());
        return ApiResponse.ok(out.endObject());
    }

    /** The result of one step, by its index: what a {@code result_ref} leads to. It reads as the result of a job does. */
    public ApiResponse result(Call call) throws CommandFailed, RejectedException {
        String text = call.parameter("step");
        int index = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
        WorkflowAnswer workflow = load(call, index, 1, true);
        JsonNode step = index == 0 || workflow.steps().isEmpty()
                ? MissingNode.getInstance()
                : workflow.steps().getFirst();
        if (!hasOutcome(step)) throw new RejectedException(Rejection.notFound("result", Limits.echo(text)));
        JsonOut out = JsonOut.object(1_024)
                .field("workflow_id", workflow.id())
                .field("step", step.path("id").asString())
                .field("job_id", step.path("job_id").asString())
                .field("state", step.path("state").asString());
        writeOutcome(step, out);
        call.makeRoom(out.length());
        return ApiResponse.ok(out.endObject());
    }

    private WorkflowAnswer page(Call call, Paging paging, boolean results) throws CommandFailed, RejectedException {
        WorkflowAnswer workflow = load(call, 1 + paging.offset(), paging.limit(), results);
        workflow.keep(paging.limit());
        return workflow;
    }

    /** Returns whether it has a result, or the error of a job that has failed. */
    private static boolean hasOutcome(JsonNode step) {
        return step.has("result") || step.has("error");
    }

    private static void writeOutcome(JsonNode step, JsonOut out) {
        String name = step.has("result") ? "result" : "error";
        out.fieldRaw(name, Json.bytes(step.path(name)));
    }

    /** Answers with the steps of a workflow, in pages. */
    public ApiResponse steps(Call call) throws CommandFailed, RejectedException {
        Paging paging = Paging.of(call, Paging.DEFAULT_LIMIT, GetWorkflow.MAX_LIMIT);
        String state = call.query("state").orElse(null);
        WorkflowAnswer workflow = live(call, page(call, paging, false));
        JsonOut out = JsonOut.object(8_192).field("workflow_id", workflow.id());
        for (String name : List.of("steps", "items")) {
            out.beginArray(name);
            for (ObjectNode step : workflow.steps())
                if (state == null || step.path("state").asString().equals(state)) out.raw(Json.bytes(step));
            out.endArray();
        }
        paging.write(workflow.total(), out);
        call.makeRoom(out.length());
        return ApiResponse.ok(out.endObject());
    }

    /** Answered once nothing of it can start any more, or after a moment. */
    public ApiResponse cancel(Call call) throws CommandFailed, RejectedException {
        mustOwn(call);
        boolean activeToo = call.query("active").filter("cancel"::equals).isPresent();
        List<byte[]> lines = ask(call, new CancelWorkflow(id(call).key(), activeToo), id(call));
        byte[] workflow = lines.getFirst();
        return ApiResponse.ok(JsonOut.object(1_024)
                .fieldRaw("workflow", workflow)
                .members(workflow)
                .endObject());
    }

    public ApiResponse retry(Call call) throws CommandFailed, RejectedException {
        mustOwn(call);
        RequestFields body = call.jsonIfAny().only(Set.of("steps"));
        List<String> steps = body.has("steps") ? body.texts("steps") : List.of();
        return ApiResponse.ok(WorkflowAnswer.of(ask(call, new RetryWorkflow(id(call).key(), steps), id(call)))
                .write());
    }

    /** Jobs come to a batch that runs, or steps to a workflow. */
    public ApiResponse addJobs(Call call) throws CommandFailed, RejectedException {
        mustOwn(call);
        JobOrigin origin = JobOrigin.of(call);
        AddedJobs added = call.read(body -> AddedJobs.read(body, origin));
        for (String queue : added.jobs().queues()) call.caller().mustUse(queue);
        List<String> warnings = schemas.check(call, added.jobs().jobs(), "request");
        WorkflowId id = id(call);
        byte[] jobs = WorkflowJson.write(added.jobs());
        List<byte[]> lines = bring(
                call, id, added.jobs(), jobs.length, Duration.ZERO, home -> new AddJobs(id.key(), jobs, added.total()));
        return ApiResponse.json(Status.CREATED_201, shown(lines, warnings));
    }

    private static JsonOut shown(List<byte[]> lines, List<String> warnings) {
        JsonOut shown = WorkflowAnswer.of(lines).write();
        if (warnings.isEmpty()) return shown;
        return JsonOut.object(shown.length() + 256)
                .members(shown.toBytes())
                .field("warnings", warnings)
                .endObject();
    }

    /** Checks that the caller may see the workflow, whose owner never changes. */
    private void mustOwn(Call call) throws CommandFailed, RejectedException {
        if (Tenant.of(call).isPresent()) load(call, 1, 1, false);
    }

    private WorkflowAnswer load(Call call, int from, int limit, boolean results)
            throws CommandFailed, RejectedException {
        WorkflowId id = id(call);
        List<byte[]> lines = ask(call, new GetWorkflow(id.key(), from, limit, results), id);
        long bytes = WorkflowAnswer.bytes(lines);
        call.makeRoom(2 * bytes);
        WorkflowAnswer workflow = inTurn(bytes, () -> WorkflowAnswer.of(lines));
        Optional<Tenant> tenant = Tenant.of(call);
        String owner = workflow.head().path("tenant_id").asString();
        if (tenant.isPresent() && !tenant.get().id().equals(owner)) throw notFound(call.parameter("id"));
        return workflow;
    }

    private WorkflowAnswer live(Call call, WorkflowAnswer workflow) {
        if (call.query("live").filter("false"::equals).isPresent()) return workflow;
        List<JobId> placed = workflow.placed();
        if (!placed.isEmpty()) workflow.complete(StepStates.of(partitions.by(call), placed));
        return workflow;
    }

    private List<byte[]> ask(Call call, WorkflowCommand command, WorkflowId id)
            throws CommandFailed, RejectedException {
        try {
            return partitions.by(call).ofJob(id.key()).ask(command);
        } catch (RejectedException rejected) {
            // The partition knows the key only.
            throw rejected.rejection().code() == ErrorCode.NOT_FOUND ? notFound(id.text()) : rejected;
        }
    }

    /** Returns the id in the path; a text that cannot be an id names no workflow. */
    public static WorkflowId id(Call call) throws RejectedException {
        String text = call.parameter("id");
        return WorkflowId.parse(text).orElseThrow(() -> notFound(text));
    }

    private static RejectedException notFound(String id) {
        return new RejectedException(Rejection.notFound("workflow", Limits.echo(id)));
    }
}
