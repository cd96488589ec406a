package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What one caller can take of a partition by its workflows. */
class WorkflowSharesTest {
    private final TestPartition log = new WorkflowWorld(1).log("a");
    private final Identity confined = new Identity("a", List.of("a"), null);

    private Answered creates(Identity by) {
        return log.receives(ask(new CreateWorkflow(
                                WorkflowWorld.json("{'type':'chain','steps':[{'type':'t','queue':'a','args':[]}]}"),
                                Duration.ZERO))
                        .sentBy(by))
                .replies();
    }

    @Test
    void one_key_cannot_take_all_running_workflows_of_a_partition() {
        JobId id = WorkflowWorld.id(creates(confined).shown());
        WorkflowStore store = new WorkflowStore(log.state().stores().entities(), new Undo());
        store.load();
        store.addRunning(Objects.requireNonNull(store.head(id)), Creation.MAX_OWNED - 2);
        log.restarts();
        assertThat(creates(confined).reply()).isInstanceOf(Reply.Done.class);
        creates(confined).rejected(ErrorCode.TOO_MANY_WORKFLOWS);
        creates(new Identity("b", List.of("a"), null)).rejected(ErrorCode.TOO_MANY_WORKFLOWS);
        assertThat(creates(new Identity("c", List.of("a"), "acme")).reply()).isInstanceOf(Reply.Done.class);
        assertThat(creates(new Identity("d", null, null)).reply()).isInstanceOf(Reply.Done.class);
    }

    @Test
    void an_answer_names_a_bounded_number_of_dependencies_and_says_what_it_omits() {
        String sources = list(IntStream.range(0, 150).mapToObj(i -> step("s" + i, "")));
        String all = list(IntStream.range(0, 150).mapToObj(i -> "'s" + i + "'"));
        String sinks = list(IntStream.range(0, 100).mapToObj(i -> step("t" + i, all)));
        log.receives(ask(new CreateWorkflow(
                WorkflowWorld.json("{'type':'dag','steps':[" + sources + "," + sinks + "]}"), Duration.ZERO)));
        JobId id = WorkflowWorld.id(log.replies().shown());
        String shown = String.join(
                "\n",
                log.receives(ask(new GetWorkflow(id, 1, 1_000, false))).replies().lines().stream()
                        .map(Object::toString)
                        .toList());
        assertThat(shown.split("\"s149\"", -1).length - 1).isBetween(66, 67);
        assertThat(shown).contains("\"depends_on\":[],\"depends_on_omitted\":150");
    }

    @Test
    void events_of_a_workflow_in_several_queues_name_them_all() {
        log.receives(ask(new CreateWorkflow(
                WorkflowWorld.json(
                        "{'type':'chain','steps':[{'type':'t','queue':'a','args':[]},{'type':'t','queue':'b','args':[]}]}"),
                Duration.ZERO)));
        log.event("workflow.created").showsJson("queues", "['a','b']").shows("queues_total", 2);
        log.receives(ask(new CreateWorkflow(
                WorkflowWorld.json("{'type':'chain','steps':[{'type':'t','queue':'a','args':[]}]}"), Duration.ZERO)));
        log.event("workflow.created").hides("queues", "queues_total");
    }

    private static String step(String id, String needs) {
        return "{'id':'%s','type':'t','queue':'a','args':[],'depends_on':[%s]}".formatted(id, needs);
    }

    private static String list(Stream<String> elements) {
        return elements.collect(Collectors.joining(","));
    }
}
