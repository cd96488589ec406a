package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A workflow that nothing but queues with a problem can make go on. */
class BlockedWorkflowTest extends GatewayFixture {
    private static final String ID = "01939a40-0000-7000-8000-000000000001";
    private static final String HEAD = "{'id':'" + ID
            + "','type':'group','state':'running','jobs_total':300,'entries_total':300,'tenant_id':'_default'}";

    /** Queue 'bad' is not fetched, and 'idle' has no job. */
    private static String queue(String name) {
        String jobs = name.equals("bad") ? "'fetched_lately':false,'last_fetched_at':null,'available':300," : "";
        return Given.queue(jobs + "'name':'" + name + "'").facts().json().toString();
    }

    private Got explain(String... steps) {
        logs.answer(command -> FakePartitions.done(
                switch (command) {
                    case ExplainQueue explain -> queue(explain.queue());
                    case GetStepJobs jobs -> "";
                    default -> (HEAD + String.join("", steps)).replace('\'', '"');
                }));
        return get("/ojs/v1/workflows/" + ID + "/explain");
    }

    private static String step(int index, String queue, String reason) {
        return "\n{'index':%d,'id':'%d','type':'a.b','state':'pending','queue':'%s','depends_on':[],'waits':{'reason':'%s','queue':'%s'}}"
                .formatted(index, index, queue, reason, queue);
    }

    @Test
    void has_the_problem_of_its_queue() {
        Got got = explain(IntStream.range(0, 300)
                .mapToObj(i -> step(i, "bad", "own_line_full"))
                .toArray(String[]::new));
        assertThat(got.at("/verdict/severity").asString()).isEqualTo("problem");
        assertThat(got.at("/verdict/text").asString())
                .endsWith("Every queue in question has a problem, and no other step can make the workflow go on.");
    }

    @Test
    void has_no_problem_while_a_step_can_make_it_go_on() {
        for (String other : new String[] {step(1, "idle", "own_line_full"), step(1, "bad", "scheduled")})
            assertThat(explain(step(0, "bad", "own_line_full"), other)
                            .at("/verdict/severity")
                            .asString())
                    .isEqualTo("warning");
    }
}
