package io.floodgate.gateway.capacity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unique jobs for a full queue: those without a duplicate are rejected as other jobs are, and no other ones. */
class UniqueEarlyRejectionTest extends GatewayFixture {
    private final FullQueue queue = new FullQueue(10, 10);

    @BeforeEach
    void a_full_queue() {
        queue.depth = 10;
        queue.bound = 10;
        queue.keys.clear();
        logs.answer(queue::carryOut);
        post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[],\"queue\":\"email\"}")
                .answers(429);
    }

    private static String job(int number, String onConflict) {
        return "{\"type\":\"email.send\",\"args\":[%d],\"queue\":\"email\",\"unique\":{\"on_conflict\":\"%s\"}}"
                .formatted(number, onConflict);
    }

    private static UniquePolicy policy(int number) throws Exception {
        byte[] job = job(number, "reject").getBytes(UTF_8);
        return Objects.requireNonNull(EnvelopeReader.read(job).terms().unique());
    }

    private Got enqueue(int number, String onConflict) {
        return post("/ojs/v1/jobs", job(number, onConflict));
    }

    private Got batch(String... jobs) {
        return post("/ojs/v1/jobs/batch", "{\"jobs\":[" + String.join(",", jobs) + "]}");
    }

    private long sent(Class<? extends Command> kind) {
        return logs.sent().stream()
                .filter(sent -> kind.isInstance(sent.command()))
                .count();
    }

    @ParameterizedTest
    @CsvSource({"reject", "ignore", "replace"})
    void a_job_without_a_duplicate_costs_one_question_about_its_key(String onConflict) {
        for (int i = 0; i < 200; i++) enqueue(i, onConflict).answers(429);

        assertThat(sent(CheckKeys.class)).isEqualTo(200);
        assertThat(sent(Enqueue.class)).as("of the first job").isOne();
        assertThat(sent(CheckRoom.class)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"reject,409", "ignore,200", "replace,201", "replace_except_schedule,201"})
    void a_job_with_a_duplicate_is_for_the_partition_to_decide(String onConflict, int status) throws Exception {
        queue.keys.add(policy(1).fingerprint());

        assertThat(enqueue(1, onConflict).status()).isEqualTo(status);
        enqueue(2, onConflict).answers(429);
    }

    @Test
    void no_key_is_looked_up_while_there_is_room() {
        queue.depth = 9;
        queue.version++;
        get("/ojs/v1/queues/email");

        enqueue(1, "reject").answers(201);
        assertThat(sent(CheckKeys.class)).isZero();
    }

    @Test
    void the_home_of_the_key_is_asked() throws Exception {
        enqueue(1, "reject");

        var asked = logs.sent().getLast();
        assertThat(asked.command()).isEqualTo(new CheckKeys(List.of(policy(1).fingerprint())));
        assertThat(asked.log()).isEqualTo(policy(1).home(logs.routing(), "email"));
    }

    @Test
    void an_answer_that_cannot_be_read_leaves_the_decision_to_the_partition() {
        logs.answer(command -> command instanceof CheckKeys ? FakePartitions.done("{}") : queue.carryOut(command));

        enqueue(1, "reject").answers(429);
        assertThat(sent(Enqueue.class)).isEqualTo(2);
    }

    @Test
    void a_batch_asks_each_home_once_and_is_written_if_a_job_of_it_may_have_a_duplicate() throws Exception {
        batch(job(1, "reject"), job(2, "ignore"), job(3, "replace")).answers(429);
        assertThat(sent(CheckKeys.class)).isBetween(1L, 3L);
        assertThat(sent(EnqueueBatch.class)).isZero();

        queue.keys.add(policy(3).fingerprint());
        batch(job(1, "reject"), job(2, "ignore"), job(3, "replace"));
        assertThat(sent(EnqueueBatch.class)).isOne();

        batch(job(7, "ignore"), job(7, "ignore"));
        assertThat(sent(EnqueueBatch.class))
                .as("jobs that are duplicates of each other need less room")
                .isEqualTo(2);
    }
}
