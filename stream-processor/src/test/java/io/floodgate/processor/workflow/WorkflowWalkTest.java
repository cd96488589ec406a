package io.floodgate.processor.workflow;

import io.floodgate.processor.simulation.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Random workflows, with random ends of their jobs, over four partitions with small queues, where workflows and dead jobs are retried,
 * cancelled, time out, fail fast, and lose leases, while partitions restart: after each event, every step stands as {@link
 * ReferenceWorkflow} says (W1, W4), none that has completed runs again (W3, W6), bounds hold (W5), and nothing is stuck (W2).
 */
public class WorkflowWalkTest {
    @Test
    void every_step_stands_as_the_reference_says_and_every_workflow_can_be_mended() {
        Seeds.run(8, WorkflowWalkTest::run);
    }

    /** Also a search for mutants. */
    public static void run(long seed) {
        try {
            new WorkflowWalk(seed).run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
