package io.floodgate.gateway.workflow;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workflows that are too large for one step of a partition. */
class LargeWorkflowTest extends GatewayFixture {
    private static final String HEAD =
            "{\"id\":\"01939a40-0000-7000-8000-000000000001\",\"type\":\"dag\",\"state\":\"running\",\"tenant_id\":\"_default\",\"metadata\":{}}";

    /** Each step needs the one before, and has arguments of this size. */
    private static String chain(int steps, int bytes) {
        String argument = "x".repeat(bytes);
        return IntStream.range(0, steps)
                .mapToObj(
                        i -> "{\"id\":\"s%d\",\"type\":\"t.x\",\"queue\":\"q%d\",\"args\":[\"%s\"],\"depends_on\":[%s]}"
                                .formatted(i, i % 3, argument, i == 0 ? "" : "\"s" + (i - 1) + "\""))
                .collect(joining(",", "{\"steps\":[", "]}"));
    }

    private static Reply answer(Command command) {
        return FakePartitions.done(command instanceof UploadJobs ? "{\"upload\":17}" : HEAD);
    }

    private List<UploadJobs> parts() {
        return logs.sent().stream()
                .map(FakePartitions.Sent::command)
                .filter(UploadJobs.class::isInstance)
                .map(UploadJobs.class::cast)
                .toList();
    }

    @Test
    void its_jobs_go_ahead_in_parts_and_its_outline_follows() throws Exception {
        logs.answer(LargeWorkflowTest::answer);

        post("/ojs/v1/workflows", chain(1_200, 2_000)).answers(201);
        List<UploadJobs> parts = parts();
        assertThat(parts).hasSizeGreaterThan(2);
        int next = 1;
        List<byte[]> jobs = new ArrayList<>();
        for (UploadJobs part : parts) {
            assertThat(part.first()).isEqualTo(next);
            assertThat(part.upload()).isEqualTo(next == 1 ? null : 17L);
            assertThat(part.jobs().stream().mapToInt(job -> job.length).sum())
                    .isLessThanOrEqualTo(Limits.BYTES_OF_A_PART);
            next += part.jobs().size();
            jobs.addAll(part.jobs());
        }
        assertThat(jobs).hasSize(1_200);
        CreateWorkflow create = (CreateWorkflow) logs.sent().getLast().command();
        assertThat(create.upload()).isEqualTo(17);
        assertThat(create.workflow().length).isLessThan(200_000);
        WorkflowPlan outline = WorkflowReader.read(create.workflow());
        assertThat(outline.id()).isEqualTo(WorkflowId.of(parts.getFirst().workflow()));
        assertThat(outline.steps().get(1_200).needs()).containsExactly(1_199);
        assertThat(outline.queues()).containsExactly("q0", "q1", "q2");
        assertThat(logs.sent())
                .extracting(FakePartitions.Sent::log)
                .containsOnly(logs.routing().ofQueue("q0"));
    }

    @Test
    void it_may_have_as_many_steps_and_bytes_as_a_batch() {
        logs.answer(LargeWorkflowTest::answer);
        String body = chain(10_000, 2_400);
        assertThat(body.length()).isBetween(23 * 1024 * 1024, WorkflowReader.MAX_BYTES);

        post("/ojs/v1/workflows", body).answers(201);

        assertThat(parts().stream().mapToInt(part -> part.jobs().size()).sum()).isEqualTo(10_000);
    }

    @Test
    void it_is_not_created_if_a_part_has_no_answer() {
        logs.answerLater(sent -> {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            boolean isLater = sent.command() instanceof UploadJobs part && part.first() > 1;
            if (isLater) reply.completeExceptionally(new NoReply("silence"));
            else reply.complete(answer(sent.command()));
            return reply;
        });

        Got got = post("/ojs/v1/workflows", chain(600, 4_000));

        got.answers(503);
        assertThat(got.at("/error/details/may_have_been_executed").asBoolean(false))
                .isFalse();
        assertThat(logs.sent()).noneMatch(sent -> sent.command() instanceof CreateWorkflow);
    }

    @Test
    void it_is_not_created_if_a_part_is_rejected() {
        logs.reject(Rejection.of(ErrorCode.TOO_MANY_WORKFLOWS, "too many"));

        post("/ojs/v1/workflows", chain(600, 4_000)).answers(429);

        assertThat(logs.sent()).hasSize(1);
    }

    @Test
    void what_all_steps_share_counts_for_each() {
        String shared = "\"options\":{\"queue\":\"q\",\"tags\":[\"%s\"]},".formatted("x".repeat(40_000));
        Got got = post("/ojs/v1/workflows", chain(1_000, 10).replaceFirst("\\{", "{" + shared));

        got.answers(413, "{'error':{'code':'envelope_too_large'}}");
        assertThat(got.at("/error/details/max_bytes_of_steps").asInt()).isEqualTo(28 * 1024 * 1024);
        assertThat(logs.sent()).isEmpty();
    }
}
