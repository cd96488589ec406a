package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.bound;
import static io.floodgate.processor.testing.Commands.getQueue;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that come to a batch while it runs; the queues a, b and c are in different ones of 4 partitions. */
class OpenBatchesTest {
    private final WorkflowWorld world = new WorkflowWorld(4);

    private static String batch() {
        return "{'type':'batch','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "],'callbacks':{'on_complete':"
                + job("t.complete", "complete") + ",'on_success':" + job("t.success", "success") + "}}";
    }

    private Shown fetched(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), () -> "nothing in " + queue);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void callbacks_wait_for_what_a_job_has_added_and_get_its_results(int partitions) {
        WorkflowWorld w = new WorkflowWorld(partitions);
        JobId id = w.create("a", batch());
        Shown lister = Objects.requireNonNull(w.fetchOne("a"));

        w.adds(id, job("t.c", "c") + "," + job("t.d", "c")).shown().shows("jobs_total", 4);

        w.ack(lister, "1");
        w.runs("b", "c");
        assertThat(w.fetchOne("complete")).isNull();
        w.runs("c");
        Objects.requireNonNull(w.fetchOne("success"))
                .showsJson("parent_results", "[1,{'of':'t.b'},{'of':'t.c'},{'of':'t.d'}]");
        w.show(id).shows("jobs_completed", 4);
        assertThat(w.states(id)).contains("2=completed", "3=completed", "on_complete=pending");
    }

    @Test
    void a_job_that_was_added_may_add_others_and_its_failure_counts() {
        JobId id = world.create("a", batch());
        world.adds(id, job("t.c", "c"));
        world.runs("a", "b");
        Shown added = fetched("c");
        added.shows("workflow_step", "2").showsJson("parent_results", "[]");
        world.adds(id, job("t.d", "d")).shown().shows("jobs_total", 4);
        world.ack(added, "1");
        world.fails("d");
        assertThat(world.fetchOne("success")).isNull();
        world.runs("complete");
        world.show(id).is("completed").shows("jobs_failed", 1);
    }

    @Test
    void what_comes_to_a_full_queue_waits_in_its_line_and_never_exceeds_it() {
        world.tell("c", bound("c", new QueueConfig(1L, null, Overflow.REJECT, null)));
        JobId id = world.create("a", batch());
        world.adds(id, String.join(",", Collections.nCopies(5, job("t.c", "c"))));
        world.runs("a", "b");
        for (int i = 0; i < 5; i++) {
            assertThat(world.tell("c", getQueue("c")).shown().number("depth")).isEqualTo(1L);
            world.runs("c");
        }
        world.runs("success", "complete");
        world.show(id).is("completed").shows("jobs_completed", 7);
    }

    @Test
    void many_at_once_are_placed_slice_by_slice() {
        JobId id = world.create("a", batch());
        world.adds(id, String.join(",", Collections.nCopies(350, job("t.c", "c"))));
        world.cluster.after(Duration.ofSeconds(5)).delivers();
        assertThat(world.tell("c", getQueue("c")).shown().number("depth")).isEqualTo(350L);
    }

    @Test
    void it_is_closed_once_its_jobs_have_ended() {
        JobId id = world.create("a", batch());
        world.runs("a", "b");
        world.adds(id, job("t.c", "c")).rejected(ErrorCode.CONFLICT);
        world.runs("success", "complete");
        world.adds(id, job("t.c", "c")).rejected(ErrorCode.CONFLICT);
        assertThat(world.fetchOne("c")).isNull();
    }

    @Test
    void a_cancelled_batch_takes_none_and_what_was_added_is_cancelled_with_it() {
        JobId id = world.create("a", batch());
        world.adds(id, job("t.c", "c"));
        world.cancels(id, false);
        assertThat(world.fetchOne("c")).isNull();
        assertThat(world.states(id)).contains("2=cancelled");
        world.adds(id, job("t.c", "c")).rejected(ErrorCode.CONFLICT);
    }

    @Test
    void a_request_that_is_sent_again_with_the_number_of_jobs_adds_nothing() {
        JobId id = world.create("a", batch());
        world.adds(id, job("t.c", "c"), 2L);
        world.adds(id, job("t.c", "c"), 2L).rejected(ErrorCode.CONFLICT);
        world.show(id).shows("jobs_total", 3);
    }

    @Test
    void only_jobs_can_be_added_and_only_to_batches() {
        JobId chain = world.create("a", "{'type':'chain','steps':[" + job("t.a", "a") + "]}");
        world.adds(chain, job("t.c", "c")).rejected(ErrorCode.INVALID_REQUEST);
        JobId id = world.create("a", batch());
        world.adds(id, "{'type':'chain','steps':[" + job("t.c", "c") + "]}").rejected(ErrorCode.INVALID_WORKFLOW);
        world.adds(id, "{'type':'t.c','args':[],'queue':'c','meta':{'tenant_id':'acme'}}")
                .rejected(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void it_goes_on_after_a_retry_with_what_was_added() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[" + job("t.a", "a") + "],'callbacks':{'on_success':" + job("t.s", "s")
                        + ",'on_failure':" + job("t.f", "f") + "}}");
        world.adds(id, job("t.c", "c"));
        world.runs("a");
        world.fails("c");
        world.fails("f");
        world.show(id).is("failed");
        world.retries(id);
        world.runs("c", "s");
        world.show(id).shows("jobs_completed", 2);
    }
}
