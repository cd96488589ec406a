package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Workflows whose ids are no UUIDs, as in the examples of OJS workflows §4.1 and §10.3. */
class WorkflowIdsTest {
    private static final String NAME = "wf_019539a4-chain-example";
    private static final JobId KEY = WorkflowId.parse(NAME).orElseThrow().key();
    private static final String CHAIN =
            "{'type':'chain','id':'%s','steps':[%s,%s]}".formatted(NAME, job("t.a", "a"), job("t.b", "b"));

    private final WorkflowWorld world = new WorkflowWorld(4);

    /** At the partition that the id leads to. */
    private Answered creates() {
        return world.at(
                        world.cluster.log(world.home(KEY)),
                        ask(new CreateWorkflow(WorkflowWorld.json(CHAIN), Duration.ZERO)))
                .replies();
    }

    @Test
    void the_id_is_shown_as_it_was_chosen_wherever_a_workflow_is_named() {
        creates().shown().shows("id", NAME);
        Shown first = Objects.requireNonNull(world.fetchOne("a"));
        first.shows("workflow_id", NAME);
        world.ack(first, "1");
        assertThat(world.log("b").event("job.enqueued").text("workflow_id")).isEqualTo(NAME);
        Shown second = Objects.requireNonNull(world.fetchOne("b"));
        second.shows("workflow_id", NAME).showsJson("parent_results", "[1]");
        world.ack(second, "2");
        world.show(KEY).is("completed").shows("id", NAME);
    }

    @Test
    void an_id_that_a_workflow_has_is_a_conflict() {
        creates().shown();
        creates().rejected(ErrorCode.DUPLICATE).with("existing_workflow_id", NAME);
    }

    @Test
    void it_can_be_retried_and_cancelled() {
        creates().shown();
        world.fails("a");
        world.show(KEY).is("failed");
        world.retries(KEY).shown().is("running");
        world.cancels(KEY, false).shown().is("cancelled");
        assertThat(world.fetchOne("a")).isNull();
    }
}
