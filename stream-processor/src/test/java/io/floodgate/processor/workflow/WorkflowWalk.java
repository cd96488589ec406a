package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.testing.Commands.bound;
import static io.floodgate.processor.testing.Commands.decide;
import static io.floodgate.processor.testing.Commands.fetch;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One walk, for one seed. Jobs that fail in queue {@code d} go to a queue of dead letters of the same partition. */
final class WorkflowWalk {
    private static final List<String> QUEUES = List.of("a", "b", "c", "d");
    private static final int WORKFLOWS = 12;
    private static final int EVENTS = 150;
    private static final Duration LEASE = Duration.ofMinutes(10);

    private record Step(JobId workflow, String name, String queue, Shown job, Instant leaseEnds) {}

    private final Random random;
    private final WorkflowWorld world = new WorkflowWorld(4);
    private final Map<JobId, ReferenceWorkflow> references = new LinkedHashMap<>();
    private final Map<JobId, Step> active = new LinkedHashMap<>();
    private final Map<JobId, Step> dead = new LinkedHashMap<>();
    /** Keys of signals that have been sent. */
    private final Set<String> signals = new TreeSet<>();

    private int added;

    private final String letters;
    /** When the first of the active jobs was fetched, at the earliest. */
    private Instant fetchedSince = Instant.MAX;

    WorkflowWalk(long seed) {
        random = new Random(seed);
        QUEUES.forEach(queue -> world.log(queue).unaudited());
        String name = "letters";
        while (!world.cluster
                .routing()
                .ofQueue(name)
                .equals(world.cluster.routing().ofQueue("d"))) name += "x";
        letters = name;
    }

    void run() throws Exception {
        world.tell("d", decide("d", QueuePolicy.NONE.with(new DeadLettering(letters, null, null))));
        for (int i = 0; i < WORKFLOWS; i++) creates();
        int depth = 2 + random.nextInt(5);
        // From now on, steps find less room than there are.
        for (String queue : QUEUES) {
            Overflow strategy = random.nextBoolean() ? Overflow.REJECT : Overflow.BLOCK;
            world.tell(queue, bound(queue, new QueueConfig((long) depth, null, strategy, null)));
        }
        references.keySet().forEach(this::compare);
        for (int i = 0; i < EVENTS; i++) event();
        heals();
    }

    private void creates() throws Exception {
        String body = new RandomWorkflow(random).body();
        // A workflow without any job is none.
        while (!body.contains("'type':'t.")) body = new RandomWorkflow(random).body();
        WorkflowPlan plan = WorkflowReader.read(WorkflowWorld.json(body));
        JobId id = random.nextBoolean() ? inParts(body) : world.create(plan.firstQueue(), body);
        Instant createdAt = Instant.parse(world.show(id).text("created_at"));
        references.put(id, new ReferenceWorkflow(plan, createdAt, this::now, signals));
    }

    /** Some parts are lost, some come twice, and processors restart in between: half of a workflow is none. */
    private JobId inParts(String body) throws Exception {
        int atOnce = 1 + random.nextInt(4);
        PartedWorkflow half = new PartedWorkflow(world, body);
        for (int first = 1; first < half.steps(); first += atOnce)
            half.sends(first, Math.min(half.steps(), first + atOnce));
        half.creates(Duration.ZERO).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        PartedWorkflow all = new PartedWorkflow(world, body);
        for (int first = 1; first <= all.steps(); first += atOnce)
            for (int times = 1 + random.nextInt(2); times > 0; times--)
                all.sends(first, Math.min(all.steps() + 1, first + atOnce)).shown();
        if (random.nextBoolean()) world.cluster.log(world.home(all.id)).restarts();
        all.creates(Duration.ZERO).shown();
        return all.id;
    }

    private Instant now() {
        return world.log("a").now();
    }

    private ReferenceWorkflow reference(JobId id) {
        return Objects.requireNonNull(references.get(id));
    }

    private <T> @Nullable T any(Map<JobId, T> of) {
        return of.isEmpty() ? null : List.copyOf(of.values()).get(random.nextInt(of.size()));
    }

    private JobId anyWorkflow() {
        return List.copyOf(references.keySet()).get(random.nextInt(references.size()));
    }

    private void event() {
        int which = random.nextInt(100);
        if (which < 35) fetches(QUEUES.get(random.nextInt(QUEUES.size())));
        else if (which < 65) ends(random.nextInt(3) > 0);
        else if (which < 73) retriesByHand(any(dead));
        else if (which < 75) List.copyOf(dead.values()).forEach(this::retriesByHand);
        else if (which < 80) mendsDeadLetter();
        else if (which < 86) retriesWorkflow(anyWorkflow());
        else if (which < 87) cancels(anyWorkflow());
        else if (which < 92) passes();
        else if (which < 94) addsSteps(anyWorkflow());
        else if (which < 96) losesLeases();
        else if (which < 98) signals(RandomWorkflow.SIGNALS.get(random.nextInt(RandomWorkflow.SIGNALS.size())));
        else world.cluster.log(random.nextInt(4)).restarts();
    }

    private void addsSteps(JobId id) {
        ReferenceWorkflow reference = reference(id);
        List<String> known = reference.takesSteps();
        String steps = new RandomWorkflow(random).added(known.isEmpty() ? List.of("s0") : known, added++);
        Reply reply = world.addsSteps(id, steps).reply();
        assertThat(reply instanceof Reply.Done)
                .as("%s added to %s: %s", steps, id, reply)
                .isEqualTo(!known.isEmpty());
        if (known.isEmpty()) return;
        try {
            reference.adds(WorkflowReader.readAdded(
                    WorkflowWorld.json("{'type':'dag','steps':[" + steps + "]}"), (job, place) -> job));
        } catch (UnreadableWorkflow impossible) {
            throw new IllegalStateException(impossible);
        }
        compare(id);
    }

    private void signals(String key) {
        SendSignal signal = new SendSignal(null, "e", key, null, Duration.ofDays(90));
        world.at(world.cluster.log(random.nextInt(4)), ask(signal));
        signals.add(key);
        references.forEach((id, reference) -> {
            reference.changed();
            compare(id);
        });
    }

    private boolean fetches(String queue) {
        List<Shown> jobs =
                world.tell(queue, fetch(queue).by("w").count(1).lease(LEASE)).lines();
        if (jobs.isEmpty()) return false;
        Shown job = jobs.getFirst();
        JobId workflow = JobId.parse(job.text("workflow_id")).orElseThrow();
        String step = job.text("workflow_step");
        ReferenceWorkflow reference = reference(workflow);
        assertThat(reference.isCancelled)
                .as("%s of %s starts although it is cancelled", step, workflow)
                .isFalse();
        assertThat(reference.hasCompleted(step))
                .as("%s of %s runs again", step, workflow)
                .isFalse();
        active.put(WorkflowWorld.id(job), new Step(workflow, step, queue, job, now().plus(LEASE)));
        if (fetchedSince.equals(Instant.MAX)) fetchedSince = now();
        return true;
    }

    private void ends(boolean well) {
        Step step = any(active);
        if (step != null) ends(step, well);
    }

    private void ends(Step step, boolean well) {
        if (well) world.ack(step.job, "1");
        else world.nack(step.job);
        ended(step, well);
        compare(step.workflow);
    }

    private void ended(Step step, boolean well) {
        JobId job = WorkflowWorld.id(step.job);
        active.remove(job);
        if (active.isEmpty()) fetchedSince = Instant.MAX;
        reference(step.workflow).ends(step.name, well, activeOf(step.workflow));
        if (!well && !reference(step.workflow).isCancelled) dead.put(job, step);
    }

    private Set<String> activeOf(JobId workflow) {
        return active.values().stream()
                .filter(step -> step.workflow.equals(workflow))
                .map(Step::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void retriesByHand(@Nullable Step step) {
        if (step == null || reference(step.workflow).isCancelled) return;
        JobId job = WorkflowWorld.id(step.job);
        Ask retry = random.nextBoolean() || step.queue.equals("d")
                ? ask(new RetryDead(job, Overrides.NONE))
                : ask(new RetryJob(job));
        if (!(world.tell(step.queue, retry).reply() instanceof Reply.Done)) return;
        dead.remove(job);
        reference(step.workflow).retriedByHand(step.name, now());
        compare(step.workflow);
    }

    private void mendsDeadLetter() {
        List<Shown> jobs = world.tell(letters, fetch(letters).by("w").count(1).lease(LEASE))
                .lines();
        if (jobs.isEmpty()) return;
        world.ack(jobs.getFirst(), "1");
        Step step = dead.remove(WorkflowWorld.id(jobs.getFirst()));
        // Of a run that was followed by another, or of a workflow that was cancelled.
        if (step == null || reference(step.workflow).isCancelled) return;
        reference(step.workflow).retriedByHand(step.name, now());
        reference(step.workflow).ends(step.name, true, activeOf(step.workflow));
        compare(step.workflow);
    }

    private void retriesWorkflow(JobId id) {
        ReferenceWorkflow reference = reference(id);
        List<String> some = new ArrayList<>();
        if (random.nextInt(3) == 0) for (String step : reference.failed()) if (random.nextBoolean()) some.add(step);
        Reply reply = world.retries(id, some.toArray(String[]::new)).reply();
        assertThat(reply instanceof Reply.Done).as("retry of %s", id).isEqualTo(reference.canBeRetried(some));
        if (!(reply instanceof Reply.Done)) return;
        Set<String> again = reference.retried(some, now());
        dead.values().removeIf(step -> step.workflow.equals(id) && again.contains(step.name));
        compare(id);
    }

    private void cancels(JobId id) {
        ReferenceWorkflow reference = reference(id);
        boolean canBe = !reference.hasEnded();
        Reply reply = world.cancels(id, false).reply();
        assertThat(reply instanceof Reply.Done).as("cancel of %s", id).isEqualTo(canBe);
        if (canBe) reference.isCancelled = true;
        compare(id);
    }

    // ---- time

    private void passes() {
        Duration[] times = {Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofSeconds(29)};
        if (now().isAfter(fetchedSince.equals(Instant.MAX) ? now() : fetchedSince.plusSeconds(300))) return;
        Instant next = nextDeadline();
        boolean atEdge = next != null && random.nextBoolean();
        passesTo(atEdge ? next.minusMillis(random.nextInt(2)) : now().plus(times[random.nextInt(times.length)]));
    }

    private @Nullable Instant nextDeadline() {
        return references.values().stream()
                .map(ReferenceWorkflow::nextEnd)
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(null);
    }

    private void passesTo(Instant end) {
        for (Instant next = nextDeadline(); next != null && !next.isAfter(end); next = nextDeadline()) {
            Instant at = next;
            advance(at);
            references.forEach((id, reference) -> {
                Instant its = reference.nextEnd();
                if (its == null || its.isAfter(at)) return;
                if (at.equals(reference.deadline)) reference.timesOut(activeOf(id));
                else reference.waitsTimeOut(at, activeOf(id));
                compare(id);
            });
        }
        advance(end);
    }

    private void advance(Instant at) {
        Duration time = Duration.between(now(), at);
        if (!time.isNegative() && !time.isZero()) world.cluster.after(time).delivers();
    }

    /** One job of each workflow at most: in which order leases end is of no interest here. */
    private void losesLeases() {
        Set<JobId> once = new TreeSet<>();
        for (Step step : List.copyOf(active.values())) if (!once.add(step.workflow)) ends(step, random.nextBoolean());
        List<Step> left = new ArrayList<>(active.values());
        left.sort(Comparator.comparing(Step::leaseEnds));
        for (Step step : left) {
            passesTo(step.leaseEnds);
            ended(step, false);
        }
        references.keySet().forEach(this::compare);
    }

    // ---- the end

    /** Nothing fails any more, and what has failed is retried: all ends well. */
    private void heals() {
        RandomWorkflow.SIGNALS.forEach(this::signals);
        for (int round = 0; round < 10; round++) {
            for (boolean goesOn = true; goesOn; ) {
                goesOn = false;
                for (String queue : QUEUES) goesOn |= fetches(queue);
                while (!active.isEmpty()) ends(true);
            }
            for (JobId id : references.keySet()) if (reference(id).canBeRetried(List.of())) retriesWhole(id);
        }
        references.forEach((id, reference) -> {
            compare(id);
            assertThat(reference.state()).as("workflow %s", id).isIn("completed", "failed", "cancelled");
            if (!reference.isCancelled)
                assertThat(reference.failed()).as("workflow %s", id).isEmpty();
        });
        assertThat(world.log("a").engine().workflows().running()).isZero();
    }

    private void retriesWhole(JobId id) {
        world.retries(id).shown();
        reference(id).retried(List.of(), now());
        compare(id);
    }

    private void compare(JobId id) {
        ReferenceWorkflow reference = reference(id);
        assertThat(world.show(id).text("state"))
                .as(() -> "workflow %s at %s: %s instead of %s, %s"
                        .formatted(id, now(), world.states(id), reference.states(), world.show(id)))
                .isEqualTo(reference.state());
        if (reference.isCancelled) return;
        List<String> states = new ArrayList<>(world.states(id));
        states.sort(null);
        List<String> expected = new ArrayList<>(reference.states());
        expected.sort(null);
        List<String> wrong = new ArrayList<>(expected);
        wrong.removeAll(states);
        List<String> all = new ArrayList<>(states);
        all.removeAll(expected);
        assertThat(states)
                .as("workflow %s: %s instead of %s, %s", id, all, wrong, reference)
                .isEqualTo(expected);
    }
}
