package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What clients and readers of events learn of the steps of a workflow. */
class StepViewsTest {
    private final WorkflowWorld world = new WorkflowWorld(1);
    private final TestPartition log = world.log("a");

    private static String jobs(int count) {
        return String.join(",", Collections.nCopies(count, job("t.a", "a")));
    }

    @Test
    void a_callback_that_waits_for_many_steps_says_for_how_many() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[%s],'callbacks':{'on_complete':%s}}".formatted(jobs(30), job("t.c", "c")));
        Shown callback = world.step(id, "on_complete");
        callback.shows("waits.steps_total", 30);
        assertThat(callback.json().at("/waits/steps").size()).isEqualTo(20);
    }

    @Test
    void each_event_of_a_failed_job_has_its_error() {
        world.create("a", "{'type':'group','jobs':[%s]}".formatted(jobs(Head.MOST_ERRORS + 2)));
        for (int i = 0; i < Head.MOST_ERRORS + 2; i++) {
            world.fails("a");
            log.event("workflow.job_failed").shows("step_id", String.valueOf(i)).shows("error.message", "it broke");
        }
    }

    @Test
    void a_page_of_steps_says_how_many_there_are_in_all() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[%s,{'type':'group','jobs':[%s]}],'callbacks':{'on_complete':%s}}"
                        .formatted(jobs(3), jobs(2), job("t.c", "c")));
        for (int from : new int[] {1, 4}) {
            Answered page =
                    log.receives(ask(new GetWorkflow(id, from, 2, false))).replies();
            page.shown().shows("entries_total", 7).shows("steps_total", 5);
        }
    }
}
