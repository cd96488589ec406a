package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Expiries;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.workflow.Uploads.Upload;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The stored state of workflows. Only counts are held in memory. */
final class WorkflowStore {
    private static final Section HEADS = Section.of("workflow");
    private static final Section NODES = Section.of("workflow-node");
    private static final Section JOBS = Section.of("workflow-job");
    private static final Section RESULTS = Section.of("workflow-result");
    private static final Section NEW = Section.of("workflow-new");
    private static final Section UPLOADS = Section.of("workflow-upload");
    /**
     * Failed workflows, by the time of their end; and running ones, by the time at which one of their steps has ended
     * last.
     */
    private static final Section FAILED = Section.of("workflow-failed");

    private static final Section PROGRESS = Section.of("workflow-progress");
    private static final Section TIMERS = Section.of("workflow-timer");
    private static final Section OWNED = Section.of("workflow-owned");
    /** Workflows that are looked at in each direction, to find quiet ones. */
    private static final int MOST_LOOKED_AT = 200;

    private static final int NODE_DIGITS = 5;
    private static final byte[] RUNNING = Section.of("workflow-count").key("running");
    /** Follows all ids and numbers. */
    private static final String LAST = "~";

    private final KeyValues stored;
    private final Undo undo;
    private final StepCounts counts;
    private long running;

    WorkflowStore(KeyValues stored, Undo undo) {
        this.stored = stored;
        this.undo = undo;
        counts = new StepCounts(stored, undo);
    }

    void load() {
        byte[] count = stored.get(RUNNING);
        running = count == null ? 0 : new BinaryIn(count).number();
        counts.load();
    }

    static String name(JobId workflow, int node) {
        return name(workflow.toString(), node);
    }

    private static String name(String of, int node) {
        String digits = Integer.toString(node);
        return of + "/" + "0".repeat(Math.max(0, NODE_DIGITS - digits.length())) + digits;
    }

    // ---- workflows

    @Nullable
    Head head(JobId id) {
        byte[] value = stored.get(HEADS.key(id.toString()));
        return value == null ? null : Head.read(value);
    }

    void put(Head head) {
        byte[] value = Head.STORED.write(head);
        if (Arrays.equals(head.stored, value)) return;
        stored.put(HEADS.key(head.id().toString()), value);
        head.stored = value;
    }

    /** Newest first. */
    void scanBack(@Nullable JobId before, Predicate<Head> visitor) {
        byte[] end = HEADS.key(before == null ? LAST : before.toString());
        stored.scanBack(HEADS.key(""), end, (key, value) -> visitor.test(Head.read(value)));
    }

    // ---- steps

    WorkflowNode node(JobId workflow, int index) {
        byte[] value = stored.get(NODES.key(name(workflow, index)));
        if (value == null) throw new IllegalStateException("workflow %s has no step %d".formatted(workflow, index));
        return WorkflowNode.read(value);
    }

    void put(JobId workflow, Collection<WorkflowNode> nodes) {
        StepCounts.Change change = new StepCounts.Change();
        for (WorkflowNode node : nodes) put(workflow, node, change);
        counts.add(change);
    }

    private void put(JobId workflow, WorkflowNode node, StepCounts.Change change) {
        StepReason reason = StepReason.of(node);
        change.add(node.countedAs, -1);
        change.add(reason, 1);
        node.countedAs = reason;
        byte[] key = NODES.key(name(workflow, node.fixed.index()));
        byte[] value = WorkflowNode.STORED.write(node);
        // Most were only looked at, and a write goes to the changelog, too.
        if (Arrays.equals(node.stored, value)) return;
        stored.put(key, value);
        node.stored = value;
    }

    /** Visits the steps from this one on, until the visitor returns false. */
    void scan(JobId workflow, int from, Predicate<WorkflowNode> visitor) {
        stored.scan(
                NODES.key(name(workflow, from)),
                NODES.key(workflow + "/" + LAST),
                (key, value) -> visitor.test(WorkflowNode.read(value)));
    }

    void putJob(JobId workflow, int node, byte[] job) {
        stored.put(JOBS.key(name(workflow, node)), job);
    }

    byte[] job(Head workflow, int node) {
        byte[] job = stored.get(jobKey(workflow, node));
        if (job == null)
            throw new IllegalStateException("step %d of workflow %s has no job".formatted(node, workflow.id()));
        return job;
    }

    private static byte[] jobKey(Head workflow, int node) {
        Long upload = workflow.upload;
        return upload == null || node >= workflow.fixed.nodes()
                ? JOBS.key(name(workflow.id(), node))
                : uploadedKey(upload, node);
    }

    private static byte[] uploadedKey(long upload, int node) {
        return JOBS.key(name("upload " + upload, node));
    }

    void putResult(JobId workflow, int node, byte[] result) {
        stored.put(RESULTS.key(name(workflow, node)), result);
    }

    byte @Nullable [] result(JobId workflow, int node) {
        return stored.get(RESULTS.key(name(workflow, node)));
    }

    void deleteResult(JobId workflow, int node) {
        stored.delete(RESULTS.key(name(workflow, node)));
    }

    // ---- jobs that come ahead of their workflow

    int uploads() {
        int[] count = {0};
        UPLOADS.scan(stored, (name, value) -> ++count[0] > 0);
        return count[0];
    }

    @Nullable
    Upload upload(long number) {
        byte[] value = stored.get(UPLOADS.key(Long.toString(number)));
        return value == null ? null : Upload.STORED.read(value);
    }

    void putUpload(long number, Upload upload) {
        stored.put(UPLOADS.key(Long.toString(number)), Upload.STORED.write(upload));
    }

    void deleteUpload(long number) {
        stored.delete(UPLOADS.key(Long.toString(number)));
    }

    void putUploaded(long upload, int node, byte[] job) {
        stored.put(uploadedKey(upload, node), job);
    }

    void deleteUploaded(long upload, int node) {
        stored.delete(uploadedKey(upload, node));
    }

    // ---- workflows whose first jobs are being stored

    void putNew(JobId id, byte[] value) {
        stored.put(NEW.key(id.toString()), value);
    }

    byte @Nullable [] takeNew(JobId id) {
        byte[] key = NEW.key(id.toString());
        byte[] value = stored.get(key);
        if (value != null) stored.delete(key);
        return value;
    }

    boolean isNew(JobId id) {
        return stored.get(NEW.key(id.toString())) != null;
    }

    // ---- time

    void setTimer(String name, Instant at) {
        stored.put(TIMERS.key(name), new BinaryOut().time(at).toBytes());
    }

    @Nullable
    Instant timer(String name) {
        byte[] at = stored.get(TIMERS.key(name));
        return at == null ? null : new BinaryIn(at).time();
    }

    void deleteTimer(String name) {
        stored.delete(TIMERS.key(name));
    }

    void timers(BiConsumer<String, Instant> each) {
        TIMERS.scan(stored, (name, value) -> {
            each.accept(name, new BinaryIn(value).time());
            return true;
        });
    }

    private static String endName(Instant at, JobId id) {
        return Expiries.time(at) + "/" + id;
    }

    // ---- those that need attention

    /** Stores that the workflow has begun, or a step of it has ended. */
    void progress(Head head, Instant now) {
        stored.delete(PROGRESS.key(endName(head.progressAt, head.id())));
        head.progressAt = now;
        stored.put(
                PROGRESS.key(endName(now, head.id())),
                new BinaryOut().job(head.id()).toBytes());
    }

    /** Stores that the workflow does not run any more. */
    void stop(Head head) {
        stored.delete(PROGRESS.key(endName(head.progressAt, head.id())));
        if (head.state == WorkflowState.FAILED && head.endedAt != null)
            stored.put(
                    FAILED.key(endName(head.endedAt, head.id())),
                    new BinaryOut().job(head.id()).toBytes());
    }

    /** Removes the failure of a workflow that runs again, or is forgotten. */
    void forgetFailure(Head head) {
        if (head.endedAt != null) stored.delete(FAILED.key(endName(head.endedAt, head.id())));
    }

    /** The latest first, until the visitor returns false. */
    void failedSince(Instant from, Predicate<JobId> visitor) {
        stored.scanBack(
                FAILED.key(Expiries.time(from)),
                FAILED.key(LAST),
                (key, value) -> visitor.test(new BinaryIn(value).job()));
    }

    /**
     * Returns workflows of which no step has ended since this time, and none waits for a signal: those that have been quiet for
     * shortest, and for longest.
     */
    Set<JobId> quietSince(Instant time, int most) {
        Set<JobId> quiet = new LinkedHashSet<>();
        int[] left = {2 * MOST_LOOKED_AT};
        byte[] from = PROGRESS.key("");
        byte[] to = PROGRESS.key(Expiries.time(time));
        stored.scanBack(from, to, (key, value) -> {
            addQuiet(new BinaryIn(value).job(), quiet);
            return quiet.size() < most / 2 && --left[0] > MOST_LOOKED_AT;
        });
        stored.scan(from, to, (key, value) -> {
            addQuiet(new BinaryIn(value).job(), quiet);
            return quiet.size() < most && --left[0] > 0;
        });
        return quiet;
    }

    private void addQuiet(JobId id, Set<JobId> quiet) {
        Head head = head(id);
        if (head != null && head.listening == 0) quiet.add(id);
    }

    // ---- all of them

    long running() {
        return running;
    }

    private void setRunning(long now) {
        long before = running;
        running = now;
        undo.by(() -> running = before);
    }

    /** Steps that have not ended. */
    Map<StepReason, Long> unfinishedSteps() {
        return counts.all();
    }

    /** Returns the number of running workflows of callers that are confined in this way. */
    long running(String space) {
        byte[] count = stored.get(OWNED.key(space));
        return count == null ? 0 : new BinaryIn(count).number();
    }

    void addRunning(Head head, int more) {
        setRunning(running + more);
        stored.put(RUNNING, new BinaryOut().number(running).toBytes());
        String space = Identity.spaceOf(head.fixed.by());
        if (space == null) return;
        long owned = running(space) + more;
        if (owned <= 0) stored.delete(OWNED.key(space));
        else stored.put(OWNED.key(space), new BinaryOut().number(owned).toBytes());
    }

    /** Forgets up to {@code most} steps; true once nothing of the workflow is left. */
    boolean forget(JobId id, int most) {
        List<Integer> some = new ArrayList<>();
        StepCounts.Change change = new StepCounts.Change();
        scan(id, 0, node -> {
            change.add(node.countedAs, -1);
            return some.add(node.fixed.index()) && some.size() < most;
        });
        counts.add(change);
        Head head = head(id);
        for (int node : some) {
            String name = name(id, node);
            stored.delete(NODES.key(name));
            stored.delete(head == null ? JOBS.key(name) : jobKey(head, node));
            stored.delete(RESULTS.key(name));
        }
        if (some.size() == most) return false;
        if (head != null) forgetFailure(head);
        stored.delete(HEADS.key(id.toString()));
        return true;
    }

    /** Deletes up to {@code most} entries for a reset. */
    boolean clear(int most) {
        if (!Section.clear(stored, most, HEADS, NODES, JOBS, RESULTS, UPLOADS, NEW, FAILED, PROGRESS, TIMERS, OWNED))
            return false;
        stored.delete(RUNNING);
        setRunning(0);
        counts.clear();
        return true;
    }
}
