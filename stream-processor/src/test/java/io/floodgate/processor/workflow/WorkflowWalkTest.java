package io.floodgate.processor.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random workflows, with random ends of their jobs, over four partitions with small queues: after each end, every step stands as
 * {@link ReferenceWorkflow} says (W1, W4), each is made into a job once (W3), bounds hold (W5), and nothing is stuck (W2).
 */
public class WorkflowWalkTest {
    private static final List<String> QUEUES = List.of("a", "b", "c", "d");
    private static final int WORKFLOWS = 12;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void every_step_stands_as_the_reference_says(long seed) {
        run(seed);
    }

    /** Also a search for mutants. */
    public static void run(long seed) {
        try {
            walk(seed);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void walk(long seed) throws Exception {
        Random random = new Random(seed);
        WorkflowWorld world = new WorkflowWorld(4);
        QUEUES.forEach(queue -> world.log(queue).unaudited());
        int depth = 2 + random.nextInt(5);
        Map<JobId, ReferenceWorkflow> references = new LinkedHashMap<>();
        for (int i = 0; i < WORKFLOWS; i++) {
            String body = new RandomWorkflow(random).body();
            WorkflowPlan plan = WorkflowReader.read(WorkflowWorld.json(body));
            JobId id = random.nextBoolean() ? inParts(world, body, random) : world.create(plan.firstQueue(), body);
            references.put(id, new ReferenceWorkflow(plan));
        }
        // From now on, steps find less room than there are.
        for (String queue : QUEUES)
            world.tell(
                    queue,
                    Commands.bound(
                            queue,
                            new QueueConfig(
                                    (long) depth,
                                    null,
                                    random.nextBoolean() ? Overflow.REJECT : Overflow.BLOCK,
                                    null)));
        references.forEach((id, reference) -> compare(world, id, reference));
        Map<String, Set<String>> jobsOfSteps = new TreeMap<>();
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            for (String queue : QUEUES) {
                Shown job = world.fetchOne(queue);
                if (job == null) continue;
                goesOn = true;
                JobId id = JobId.parse(job.text("workflow_id")).orElseThrow();
                String step = job.text("workflow_step");
                jobsOfSteps
                        .computeIfAbsent(id + " " + step, key -> new TreeSet<>())
                        .add(job.text("id"));
                boolean fails = random.nextInt(4) == 0;
                if (fails) world.nack(job);
                else world.ack(job, "1");
                ReferenceWorkflow reference = references.get(id);
                reference.ends(step, !fails);
                compare(world, id, reference);
            }
        }
        references.forEach((id, reference) -> assertThat(world.show(id).text("state"))
                .as("workflow %s of seed %d", id, seed)
                .isIn("completed", "failed"));
        jobsOfSteps.forEach((step, jobs) -> assertThat(jobs).as(step).hasSize(1));
    }

    /** Some parts are lost, some come twice, and processors restart in between: half of a workflow is none. */
    private static JobId inParts(WorkflowWorld world, String body, Random random) {
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

    private static void compare(WorkflowWorld world, JobId id, ReferenceWorkflow reference) {
        List<String> states = new ArrayList<>(world.states(id));
        states.sort(null);
        List<String> expected = new ArrayList<>(reference.states());
        expected.sort(null);
        assertThat(states).as("workflow %s", id).isEqualTo(expected);
        assertThat(world.show(id).text("state")).isEqualTo(reference.state());
    }
}
