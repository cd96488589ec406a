package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.testing.Commands.bound;
import static io.floodgate.processor.testing.Commands.enqueueWithoutId;
import static io.floodgate.processor.testing.Commands.getQueue;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static io.floodgate.processor.workflow.WorkflowWorld.step;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large workflows, whose jobs come ahead of them in parts: all of it comes to be, or nothing does. */
class UploadsTest {
    private static final String NESTED = "{'type':'chain','steps':["
            + job("t.first", "a")
            + ",{'type':'group','jobs':["
            + job("t.left", "b")
            + ","
            + job("t.right", "c")
            + "]},"
            + job("t.last", "a")
            + "]}";

    private final WorkflowWorld world = new WorkflowWorld(4);

    private static String group(int jobs, String queue) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < jobs; i++) all.add(job("t.x" + i, queue));
        return "{'type':'group','jobs':[" + String.join(",", all) + "]}";
    }

    /** All that is stored but for where the partition stands. */
    private Map<String, String> stored() {
        Map<String, String> all = new TreeMap<>();
        for (String queue : List.of("a", "b", "c"))
            all.putAll(world.log(queue).state().entriesButPosition());
        return all;
    }

    private long depth(String queue) {
        return world.tell(queue, getQueue(queue)).shown().number("depth");
    }

    private void expires() {
        world.cluster.after(UploadJobs.KEPT.plusSeconds(10)).delivers();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void it_runs_as_if_it_had_come_in_one(int atOnce) {
        PartedWorkflow parted = new PartedWorkflow(world, NESTED);
        parted.sendsAll(atOnce);
        assertThat(world.fetchOne("a"))
                .as("nothing starts before it is created")
                .isNull();
        world.get(parted.id).rejected(ErrorCode.NOT_FOUND);
        parted.creates(Duration.ZERO).shown().shows("id", parted.id.toString());
        assertThat(world.states(parted.id))
                .containsExactly("0=pending", "1=waiting", "1.0=waiting", "1.1=waiting", "2=waiting");
        world.log("a").restarts();
        world.runs("a", "b", "c", "a");
        world.show(parted.id).is("completed");
    }

    @Test
    void its_jobs_are_what_was_sent() {
        String body = "{'steps':["
                + step("one", "a", ",'args':[1]").replace("'args':[],", "")
                + ","
                + step("two", "b", ",'args':[{'k':2}],'depends_on':['one'],'meta':{'m':'x'}")
                        .replace("'args':[],", "")
                + "]}";
        PartedWorkflow parted = new PartedWorkflow(world, body);
        parted.sendsAll(1);
        parted.creates(Duration.ZERO);
        Shown first = world.fetches("a", 1).getFirst();
        first.showsJson("args", "[1]").shows("type", "t.one").shows("workflow_step", "one");
        world.ack(first, "7");
        world.fetches("b", 1)
                .getFirst()
                .showsJson("args", "[{'k':2}]")
                .shows("meta.m", "x")
                .showsJson("parent_results", "{'one':7}");
    }

    @Test
    void nothing_is_created_while_a_part_is_missing() {
        Map<String, String> before = stored();
        PartedWorkflow parted = new PartedWorkflow(world, NESTED);
        parted.sends(1, 3);
        parted.creates(Duration.ZERO).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        world.cluster.after(Duration.ofSeconds(10)).delivers();
        world.get(parted.id).rejected(ErrorCode.NOT_FOUND);
        assertThat(stored()).as("what had come is dropped").isEqualTo(before);
    }

    @Test
    void a_part_that_is_missing_in_between_is_noticed_by_the_next_one() {
        PartedWorkflow parted = new PartedWorkflow(world, NESTED);
        parted.sends(1, 3);
        parted.sends(4, 6).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        parted.sends(3, 6);
        parted.creates(Duration.ZERO).shown().is("running");
    }

    @Test
    void a_part_that_comes_twice_is_taken_once() {
        PartedWorkflow parted = new PartedWorkflow(world, NESTED);
        parted.sends(1, 3);
        parted.sends(1, 3).shown().shows("upload", parted.upload());
        parted.sends(3, 6);
        parted.sends(3, 6);
        parted.creates(Duration.ZERO);
        world.runs("a", "b", "c", "a");
        world.show(parted.id).is("completed");
    }

    @Test
    void parts_of_another_workflow_are_not_taken_for_its_own() {
        PartedWorkflow one = new PartedWorkflow(world, group(3, "a"));
        PartedWorkflow other = new PartedWorkflow(world, group(3, "a"));
        one.sendsAll(2);
        other.creates(one.upload(), Duration.ZERO).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        PartedWorkflow changed = new PartedWorkflow(world, group(3, "a"));
        changed.sendsAll(2);
        PartedWorkflow elsewhere = changed.as(group(3, "a").replace("t.x1", "t.y1"));
        elsewhere.creates(Duration.ZERO).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        assertThat(world.fetchOne("a")).isNull();
    }

    @Test
    void what_is_not_created_soon_is_dropped() {
        Map<String, String> before = stored();
        PartedWorkflow parted = new PartedWorkflow(world, group(250, "a"));
        parted.sends(1, 101);
        world.cluster.after(UploadJobs.KEPT.minusSeconds(1)).delivers();
        parted.sends(101, 251);
        world.cluster.after(UploadJobs.KEPT.minusSeconds(1)).delivers();
        assertThat(stored()).as("each part gives it time").hasSizeGreaterThan(250);
        world.log("a").restarts();
        expires();
        assertThat(stored()).isEqualTo(before);
        parted.creates(Duration.ZERO).rejected(ErrorCode.BACKEND_UNAVAILABLE);
        parted.sends(251, 251).rejected(ErrorCode.BACKEND_UNAVAILABLE);
    }

    @Test
    void what_has_no_room_is_dropped() {
        world.tell("a", bound("a", new QueueConfig(2L, null, Overflow.REJECT, null)));
        Map<String, String> before = stored();
        PartedWorkflow parted = new PartedWorkflow(world, group(3, "a"));
        parted.sendsAll(1);
        parted.creates(Duration.ZERO).rejected(ErrorCode.BATCH_EXCEEDS_BOUND);
        world.cluster.after(Duration.ofSeconds(10)).delivers();
        Map<String, String> after = stored();
        after.keySet().removeAll(before.keySet());
        assertThat(after).isEmpty();
    }

    @Test
    void its_first_jobs_need_room_and_follow_in_slices() {
        world.tell("a", bound("a", new QueueConfig(260L, null, Overflow.REJECT, null)));
        world.ticks = false;
        PartedWorkflow parted = new PartedWorkflow(world, group(250, "a"));
        parted.sendsAll(100);
        parted.creates(Duration.ZERO).shown().is("running");
        assertThat(world.fetches("a", 100)).as("no step places all of them").isEmpty();
        world.cluster.after(Duration.ofSeconds(1)).delivers();
        assertThat(depth("a")).isEqualTo(250);
        PartedWorkflow other = new PartedWorkflow(world, group(250, "a"));
        other.sendsAll(100);
        other.creates(Duration.ZERO).rejected(ErrorCode.QUEUE_FULL);
        assertThat(world.fetches("a", 100)).hasSize(100);
    }

    @Test
    void the_room_is_given_back() {
        world.tell("a", bound("a", new QueueConfig(4L, null, Overflow.REJECT, null)));
        PartedWorkflow parted = new PartedWorkflow(world, group(3, "a"));
        parted.sendsAll(2);
        parted.creates(Duration.ZERO);
        world.tell("a", enqueueWithoutId().to("a")).shown();
        world.tell("a", enqueueWithoutId().to("a")).rejected(ErrorCode.QUEUE_FULL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void it_waits_for_room_in_a_queue_that_blocks(String queue) {
        world.tell(queue, bound(queue, new QueueConfig(2L, null, Overflow.BLOCK, null)));
        world.tell(queue, enqueueWithoutId().to(queue)).shown();
        PartedWorkflow parted = new PartedWorkflow(
                world,
                "{'type':'group','jobs':[" + job("t.a", "a") + "," + job("t.x", queue) + "," + job("t.y", queue)
                        + "]}");
        if (queue.equals("a")) parted = new PartedWorkflow(world, group(2, "a"));
        parted.sendsAll(1);
        parted.send(Duration.ofMinutes(5));
        world.get(parted.id).rejected(ErrorCode.NOT_FOUND);
        world.cluster.after(Duration.ofMinutes(2)).delivers();
        world.log("a").restarts();
        world.runs(queue);
        world.cluster.after(Duration.ofSeconds(1)).delivers();
        world.show(parted.id).is("running");
        assertThat(world.fetches(queue, 5)).hasSize(2);
    }

    @Test
    void a_second_creation_changes_nothing() {
        PartedWorkflow parted = new PartedWorkflow(world, NESTED);
        parted.sendsAll(2);
        parted.creates(Duration.ZERO);
        parted.creates(Duration.ZERO).rejected(ErrorCode.DUPLICATE);
        expires();
        world.runs("a", "b", "c", "a");
        world.show(parted.id).is("completed");
    }

    @Test
    void nothing_is_left_once_it_is_forgotten() {
        PartedWorkflow parted = new PartedWorkflow(world, NESTED.replace("'chain'", "'chain','retention':'PT1H'"));
        parted.sendsAll(2);
        parted.creates(Duration.ZERO);
        String uploaded = HexFormat.of().formatHex("upload ".getBytes(UTF_8));
        assertThat(stored().keySet()).anyMatch(key -> key.contains(uploaded));
        world.runs("a", "b", "c", "a");
        world.cluster.after(Duration.ofHours(2)).delivers();
        world.get(parted.id).rejected(ErrorCode.NOT_FOUND);
        assertThat(stored().keySet()).noneMatch(key -> key.contains(uploaded));
    }

    @Test
    void too_many_at_a_time_are_rejected() {
        for (int i = 0; i < Uploads.MOST; i++)
            new PartedWorkflow(world, NESTED).sends(1, 3).shown();
        new PartedWorkflow(world, NESTED).sends(1, 3).rejected(ErrorCode.TOO_MANY_WORKFLOWS);
        expires();
        new PartedWorkflow(world, NESTED).sends(1, 3).shown();
    }

    @Test
    void what_cannot_be_read_or_is_too_much_is_rejected() {
        JobId id = new PartedWorkflow(world, NESTED).id;
        TestPartition home = world.log("a");
        world.at(home, ask(new UploadJobs(id, null, 1, List.of(WorkflowWorld.json("{'args':[]}")))));
        home.rejects(ErrorCode.INVALID_REQUEST);
        world.at(home, ask(new UploadJobs(id, null, 2, List.of(WorkflowWorld.json("{}")))));
        home.rejects(ErrorCode.BACKEND_UNAVAILABLE);
        world.at(home, ask(new UploadJobs(id, 4711L, 1, List.of(WorkflowWorld.json("{}")))));
        home.rejects(ErrorCode.BACKEND_UNAVAILABLE);
    }
}
