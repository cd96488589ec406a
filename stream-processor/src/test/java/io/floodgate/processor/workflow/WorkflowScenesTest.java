package io.floodgate.processor.workflow;

import static io.floodgate.processor.workflow.WorkflowWorld.id;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static io.floodgate.processor.workflow.WorkflowWorld.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workflows at full queues, and what comes late or twice. The first four scenes are also a search for mutants. */
public class WorkflowScenesTest extends Commands {
    private final WorkflowWorld world = new WorkflowWorld(4);

    /** Also a search for mutants. */
    public static void run(long seed) {
        WorkflowScenesTest scenes = new WorkflowScenesTest();
        switch ((int) (seed % 4)) {
            case 0 -> scenes.theEndOfAnEarlierRunChangesNothing();
            case 1 -> scenes.theNextStepTakesTheRoomOfTheLastAlthoughProducersWait();
            case 2 -> scenes.aNoteThatComesTwiceIsTakenOnce();
            default -> scenes.aCallbackDoesNotRunAgainAfterARetryThatFails();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void scenes_that_also_find_mutants(long seed) {
        run(seed);
    }

    private Shown fetched(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), () -> "nothing in " + queue);
    }

    private void bounded(String queue, long depth, Overflow strategy) {
        world.tell(queue, bound(queue, new QueueConfig(depth, null, strategy, null)));
    }

    private long depth(String queue) {
        return world.tell(queue, getQueue(queue)).shown().number("depth");
    }

    private static String chain(String... queues) {
        List<String> steps = new ArrayList<>();
        for (String queue : queues) steps.add(job("t." + queue, queue));
        return "{'type':'chain','steps':[" + String.join(",", steps) + "]}";
    }

    /** A step, and then a group of this size. */
    private static String fanOut(String first, String queue, int size) {
        return "{'type':'chain','steps':[" + job("t.first", first) + ",{'type':'group','jobs':["
                + (job("t.many", queue) + ",").repeat(size - 1) + job("t.many", queue) + "]}]}";
    }

    // ---- late, and twice

    private void theEndOfAnEarlierRunChangesNothing() {
        JobId id = world.create("a", chain("a", "b"));
        Shown first = fetched("a");
        world.nack(first);
        world.retries(id).shown().is("running");
        Shown again = fetched("a");
        world.tell("a", ask(new RetryJob(id(first))));
        world.ack(fetched("a"), "'of the first job'");
        world.step(id, "0").is("pending");
        assertThat(world.fetchOne("b")).isNull();
        world.ack(again, "'of the second job'");
        world.step(id, "0").is("completed").showsJson("result", "'of the second job'");
        world.runs("b");
        world.show(id).is("completed");
    }

    private void aNoteThatComesTwiceIsTakenOnce() {
        JobId id = world.create("a", chain("a", "a"));
        Shown first = fetched("a");
        world.nack(first);
        world.tell("a", ask(new RetryJob(id(first))));
        world.step(id, "0").is("pending");
        JobOwner owner = new JobOwner("workflow", world.home(id), id.toString(), "1/1", true);
        OwnerNote old = new OwnerNote(owner, id(first), 1, JobState.DISCARDED, false, 1, null, null, null);
        world.log("a")
                .receives(world.log("b").id(), 1, new TellOwners(world.log("b").id(), List.of(old)), null);
        world.step(id, "0").is("pending");
        world.runs("a", "a");
        world.show(id).is("completed").shows("metadata.failed_count", 0);
    }

    private void aCallbackDoesNotRunAgainAfterARetryThatFails() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "],'callbacks':{'on_failure':" + job("t.failure", "failure")
                        + ",'on_success':" + job("t.success", "success") + "}}");
        world.fails("a");
        world.runs("failure");
        world.show(id).is("completed");
        world.retries(id).shown().is("running");
        world.fails("a");
        world.show(id).is("completed");
        assertThat(world.fetchOne("failure")).isNull();
    }

    // ---- full queues

    private void theNextStepTakesTheRoomOfTheLastAlthoughProducersWait() {
        bounded("a", 1, Overflow.BLOCK);
        JobId id = world.create("a", chain("a", "a"));
        world.at(
                world.log("a"),
                patient(Duration.ofMinutes(1), enqueueWithoutId().to("a")).as("patient"));
        world.log("a").keepsWaiting("patient");
        world.runs("a");
        fetched("a").shows("workflow_step", "1");
        world.step(id, "1").hides("waits");
        world.log("a").keepsWaiting("patient");
        assertThat(depth("a")).isEqualTo(1);
    }

    @Test
    void chains_in_full_queues_go_on_while_producers_are_rejected() {
        bounded("a", 10, Overflow.REJECT);
        bounded("b", 1, Overflow.REJECT);
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) ids.add(world.create("a", chain("a", "b", "a", "b")));
        world.tell("a", enqueueWithoutId().to("a")).rejected(ErrorCode.QUEUE_FULL);
        int ended = 0;
        for (int round = 0; ended < 40; round++) {
            assertThat(round).as("rounds without an end of all").isLessThan(60);
            for (String queue : List.of("a", "b")) {
                Shown job = world.fetchOne(queue);
                if (job == null) continue;
                world.ack(job, "1");
                ended++;
                assertThat(depth("a")).isLessThanOrEqualTo(10);
                assertThat(depth("b")).isLessThanOrEqualTo(1);
            }
        }
        for (JobId id : ids) world.show(id).is("completed");
    }

    @Test
    void drop_oldest_never_drops_a_step_that_waits() {
        bounded("b", 2, Overflow.DROP_OLDEST);
        JobId id = world.create("a", fanOut("a", "b", 5));
        world.runs("a");
        assertThat(depth("b")).isEqualTo(2);
        world.step(id, "1.2").shows("waits.reason", "no_room");
        // What is in the queue already is a job like any other.
        for (int i = 0; i < 20; i++) world.tell("b", enqueueWithoutId().to("b")).shown();
        assertThat(world.states(id)).contains("1.0=failed", "1.1=failed", "1.2=pending", "1.3=pending", "1.4=pending");
        world.step(id, "1.0").shows("error.code", "overflow");
        for (int i = 0; i < 5; i++) {
            assertThat(depth("b")).isLessThanOrEqualTo(2);
            world.runs("b");
        }
        world.show(id).is("failed").shows("metadata.completed_count", 4).shows("metadata.failed_count", 2);
    }

    @Test
    void a_step_that_was_moved_goes_on_and_later_steps_make_the_deleted_queue_again() {
        world.tell("c", makeQueue("c", QueueConfig.of(QueuePolicy.NONE.with(new Access(List.of("t.*"), null)))));
        JobId id = world.create("a", "{'type':'chain','steps':[%s,%s]}".formatted(job("t.x", "a"), job("t.y", "a")));
        world.tell("a", move("a", "c"));
        world.at(world.log("a"), tick());
        assertThat(world.log("a").engine().queueNames()).doesNotContain("a");
        world.runs("c");
        world.runs("a");
        world.show(id).is("completed");
    }

    @Test
    void a_fan_out_of_a_thousand_into_a_queue_of_a_hundred_never_exceeds_it() {
        world.log("a").unaudited();
        world.log("b").unaudited();
        bounded("b", 100, Overflow.REJECT);
        JobId id = world.create("a", fanOut("a", "b", 1_000));
        world.runs("a");
        int ended = 0;
        while (ended < 1_000) {
            assertThat(depth("b")).isLessThanOrEqualTo(100);
            List<Shown> jobs = world.fetches("b", 50);
            if (jobs.isEmpty()) world.cluster.after(Duration.ofMillis(10)).delivers();
            for (Shown job : jobs) {
                world.ack(job, "1");
                ended++;
                assertThat(depth("b")).isLessThanOrEqualTo(100);
            }
        }
        world.show(id).is("completed");
    }

    // ---- counts

    @Test
    void steps_are_counted_by_why_they_have_not_ended() {
        bounded("a", 2, Overflow.REJECT);
        world.create("a", fanOut("a", "a", 4));
        assertThat(counts("a")).containsEntry(StepReason.IN_QUEUE, 1L).containsEntry(StepReason.WAITS_FOR, 4L);
        world.runs("a");
        assertThat(counts("a")).containsEntry(StepReason.IN_QUEUE, 2L).containsEntry(StepReason.NO_ROOM, 2L);
        assertThat(world.log("a").engine().workflows().running()).isEqualTo(1);
        world.runs("a", "a", "a", "a");
        assertThat(counts("a").values()).allMatch(count -> count == 0);
        assertThat(world.log("a").engine().workflows().running()).isZero();
    }

    private Map<StepReason, Long> counts(String queue) {
        return world.log(queue).engine().workflows().unfinishedSteps();
    }
}
