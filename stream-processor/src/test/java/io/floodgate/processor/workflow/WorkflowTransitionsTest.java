package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every state of a workflow and every operation, as a table. The same table is in docs/reference/state-machine.md. */
class WorkflowTransitionsTest {
    private static final JobId ID =
            JobId.parse("01939a40-0000-7000-8000-000000000001").orElseThrow();
    private static final String BATCH = "{'type':'batch','id':'%s','jobs':[%s,%s],'callbacks':{'on_complete':%s}}"
            .formatted(ID, job("t.a", "a"), job("t.b", "b"), job("t.c", "c"));
    private static final String WELL = "completed";
    private static final String CONFLICT = "conflict";
    private static final List<String> STATES =
            List.of("running", WELL, "completed, a job failed", "failed", "cancelled");

    private record Row(String operation, String... outcomes) {}

    private static final List<Row> TABLE = List.of(
            new Row("create with the same id", CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT),
            new Row("cancel", "cancelled", CONFLICT, CONFLICT, CONFLICT, CONFLICT),
            new Row("retry", CONFLICT, CONFLICT, "running", "running", CONFLICT),
            new Row("add jobs to a batch", "running", CONFLICT, CONFLICT, CONFLICT, CONFLICT),
            new Row("retry-job of a failed job", "running", "–", "running", "running", "cancelled"));

    private WorkflowWorld world = new WorkflowWorld(1);

    /** A batch in this state, in a world of its own; the job that was the first to end. */
    private JobId isIn(String state) {
        world = new WorkflowWorld(1);
        world.create("a", BATCH);
        Shown first = Objects.requireNonNull(world.fetchOne("a"));
        if (state.equals(WELL)) world.ack(first, "1");
        else world.nack(first);
        if (state.startsWith(WELL)) world.runs("b", "c");
        if (state.equals("cancelled")) world.cancels(ID, false);
        if (state.equals("failed")) {
            world.runs("b");
            world.fails("c");
        }
        world.show(ID).is(state.split(",", 2)[0]);
        return WorkflowWorld.id(first);
    }

    private String outcome(Supplier<Answered> operation) {
        if (operation.get().reply() instanceof Reply.Rejected rejected) {
            assertThat(rejected.rejection().code()).isIn(ErrorCode.CONFLICT, ErrorCode.DUPLICATE);
            return CONFLICT;
        }
        return world.show(ID).text("state");
    }

    private String outcome(String operation, String state) {
        JobId first = isIn(state);
        return switch (operation) {
            case "create with the same id" -> outcome(() -> world.creates("a", BATCH, Duration.ZERO));
            case "cancel" -> outcome(() -> world.cancels(ID, false));
            case "retry" -> outcome(() -> world.retries(ID));
            case "add jobs to a batch" -> outcome(() -> world.adds(ID, job("t.d", "d")));
            default -> state.equals(WELL) ? "–" : outcome(() -> world.tell("a", ask(new RetryJob(first))));
        };
    }

    @Test
    void every_operation_has_its_outcome_in_every_state() {
        for (Row row : TABLE) {
            List<String> outcomes = new ArrayList<>();
            for (String state : STATES) outcomes.add(outcome(row.operation, state));
            assertThat(outcomes).as(row.operation).containsExactly(row.outcomes);
        }
    }

    @Test
    void the_document_shows_the_same_table() throws IOException {
        StringBuilder table =
                new StringBuilder("| | " + String.join(" | ", STATES) + " |\n|---|---|---|---|---|---|\n");
        for (Row row : TABLE) table.append("| %s | %s |\n".formatted(row.operation, String.join(" | ", row.outcomes)));
        assertThat(Files.readString(Path.of("..", "docs", "reference", "state-machine.md")))
                .contains(table);
    }
}
