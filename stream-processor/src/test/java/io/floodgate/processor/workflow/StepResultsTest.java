package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.workflow.WorkflowReader;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What steps get of results that are large, or many. */
class StepResultsTest {
    private final WorkflowWorld world = new WorkflowWorld(1);

    private JsonNode given(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), queue).json().path("parent_results");
    }

    private static String text(int chars) {
        return "'" + "x".repeat(chars) + "'";
    }

    @Test
    void a_result_that_is_too_large_for_the_next_step_is_kept_as_long_as_the_workflow() {
        // The job itself shows no result.
        String large = "{'type':'t.a','args':[],'queue':'a','result_ttl':0}";
        JobId id =
                world.create("a", "{'type':'chain','steps':[%s,%s]}".formatted(large, WorkflowWorld.job("t.b", "b")));
        world.ack(Objects.requireNonNull(world.fetchOne("a")), text(700_000));

        JsonNode reference = given("b").path(0);

        assertThat(reference.path("result_ref").asString()).isEqualTo("/ojs/v1/workflows/%s/results/1".formatted(id));
        Shown step =
                world.tell("a", ask(new GetWorkflow(id, 1, 1, true))).lines().get(1);
        assertThat(step.json().path("result").asString()).hasSize(700_000);
    }

    @Test
    void a_result_of_more_than_64_kib_is_given_to_the_next_step() {
        world.create(
                "a",
                "{'type':'chain','steps':[%s,%s]}"
                        .formatted(WorkflowWorld.job("t.a", "a"), WorkflowWorld.job("t.b", "b")));
        world.ack(Objects.requireNonNull(world.fetchOne("a")), text(100_000));
        assertThat(given("b").path(0).asString()).hasSize(100_000);
    }

    @Test
    void a_callback_gets_most_results_and_a_reference_to_each_that_has_no_room() {
        List<JsonNode> given = givenToCallback(60, 30_000);
        assertThat(given).hasSize(60);
        List<JsonNode> references =
                given.stream().filter(result -> !result.isString()).toList();
        assertThat(references)
                .hasSizeBetween(1, 10)
                .allSatisfy(
                        reference -> assertThat(reference.toString().length()).isLessThan(StepResults.REFERENCE_BYTES));
    }

    @Test
    void references_to_the_results_of_the_largest_batch_have_room_in_a_callback() {
        assertThat(WorkflowReader.MOST_STEPS * (StepResults.REFERENCE_BYTES + 8))
                .isLessThan(StepResults.MOST_GIVEN_TO_CALLBACK);
    }

    @Test
    void a_callback_gets_the_error_of_each_of_many_failures() {
        JobId id = world.create("a", batch(30, "on_failure"));
        world.fetches("a", 30).forEach(world::nack);
        assertThat(given("b").valueStream())
                .hasSize(30)
                .allSatisfy(given ->
                        assertThat(given.at("/error/message").asString()).isEqualTo("it broke"));
        world.step(id, "29").shows("error.attempt", 1);
    }

    private static String batch(int jobs, String callback) {
        return "{'type':'batch','jobs':[%s],'callbacks':{'%s':%s}}"
                .formatted(
                        String.join(",", Collections.nCopies(jobs, WorkflowWorld.job("t.a", "a"))),
                        callback,
                        WorkflowWorld.job("t.b", "b"));
    }

    private List<JsonNode> givenToCallback(int jobs, int chars) {
        world.create("a", batch(jobs, "on_success"));
        for (Shown job : world.fetches("a", jobs)) world.ack(job, text(chars));
        return given("b").valueStream().toList();
    }
}
