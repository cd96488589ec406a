package io.floodgate.gateway.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workflows whose first jobs have no room: they are rejected as batches are, without being written. */
class WorkflowEarlyRejectionTest extends GatewayFixture {
    private static final String EMAIL = "{\"type\":\"email.send\",\"args\":[],\"options\":{\"queue\":\"email\"}}";
    private static final String OTHER = EMAIL.replace("\"email\"", "\"other\"");

    private final FullQueue queue = new FullQueue(10, 10);

    @BeforeEach
    void a_full_queue() {
        queue.depth = 10;
        logs.answer(queue::carryOut);
        post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[],\"queue\":\"email\"}");
    }

    private Got create(String workflow) {
        return post("/ojs/v1/workflows", workflow);
    }

    private long sent(Class<? extends Command> kind) {
        return logs.sent().stream()
                .filter(sent -> kind.isInstance(sent.command()))
                .count();
    }

    @Test
    void a_workflow_is_not_written_while_the_queue_of_its_first_job_is_full() {
        for (int i = 0; i < 50; i++) {
            Got got = create("{\"type\":\"chain\",\"steps\":[" + EMAIL + "," + OTHER + "]}");
            got.answers(429);
            assertThat(got.header("Retry-After")).isEqualTo("7");
        }
        assertThat(sent(CreateWorkflow.class) + sent(CheckRoom.class)).isZero();
    }

    @Test
    void all_jobs_that_begin_it_need_room_together() {
        queue.depth = 8;
        queue.version++;
        get("/ojs/v1/queues/email");

        create("{\"type\":\"group\",\"jobs\":[" + EMAIL + "," + EMAIL + "," + EMAIL + "]}")
                .answers(429);
        assertThat(sent(CreateWorkflow.class)).isZero();

        create("{\"type\":\"group\",\"jobs\":[" + EMAIL + "," + EMAIL + "]}");
        assertThat(sent(CreateWorkflow.class)).isOne();
    }

    @Test
    void a_step_that_follows_waits_for_room_later() {
        create("{\"type\":\"chain\",\"steps\":[" + OTHER + "," + EMAIL + "]}");

        assertThat(sent(CreateWorkflow.class)).isOne();
    }

    @Test
    void whether_its_own_id_is_taken_only_its_home_knows() {
        create("{\"id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"type\":\"chain\",\"steps\":[" + EMAIL + "]}");

        assertThat(sent(CreateWorkflow.class)).isOne();
    }

    @Test
    void one_that_can_wait_for_room_waits_in_a_queue_that_blocks() {
        queue.strategy = "block";
        queue.version++;
        get("/ojs/v1/queues/email");

        post("/ojs/v1/workflows", "{\"type\":\"chain\",\"steps\":[" + EMAIL + "]}", "OJS-Block-Timeout", "5");

        assertThat(sent(CreateWorkflow.class)).isOne();
    }
}
