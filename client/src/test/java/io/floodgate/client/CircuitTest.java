package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static io.floodgate.client.FakeServer.full;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.circuit.BreakerState;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The circuit breakers (OJS backpressure §8.2): one for each queue that is full, and one for a server that is not there. */
final class CircuitTest extends ProducerFixture {
    private static final int FOUR_MORE_REJECTIONS = 15;

    @Test
    void opens_after_five_rejections_in_a_row() {
        server.answersAll(full(1));
        submit("a");

        time.pass(seconds(FOUR_MORE_REJECTIONS - 1));
        assertThat(producer().breaker("email")).isEqualTo(BreakerState.CLOSED);
        time.pass(seconds(1));

        assertThat(server.count()).isEqualTo(5);
        assertThat(producer().breaker("email")).isEqualTo(BreakerState.OPEN);
        assertThat(heard).containsExactly("email OPEN");
    }

    @Test
    void a_success_in_between_keeps_it_closed() {
        for (int i = 0; i < 3; i++) {
            server.answersAll(full(1));
            submit("a" + i);
            time.pass(seconds(FOUR_MORE_REJECTIONS - 1));
            server.answersAll(STORED);
            time.pass(seconds(1));
        }

        assertThat(server.count()).isEqualTo(15);
        assertThat(heard).isEmpty();
    }

    @Test
    void while_it_is_open_nothing_is_sent_and_callers_are_informed_at_once() {
        openTheCircuit();

        var receipt = enqueue("b");

        assertThat(failure(receipt)).isInstanceOfSatisfying(CircuitOpen.class, open -> {
            assertThat(open.code()).isEqualTo("client_circuit_open");
            assertThat(open.retryAfter()).contains(seconds(10));
        });
        time.pass(Duration.ofMillis(9_999));
        assertThat(server.count()).isEqualTo(5);
    }

    @Test
    void all_who_wait_behind_are_informed_when_it_opens_and_those_who_come_later_too() {
        server.answersAll(full(1));
        submit("a");
        time.pass(seconds(8));
        var waiting = enqueue("b");
        assertThat(waiting).isNotDone();

        time.pass(seconds(7));

        assertThat(failure(waiting)).isInstanceOf(CircuitOpen.class);
        assertThat(failure(enqueue("c"))).isInstanceOf(CircuitOpen.class);
        assertThat(producer().pending()).isEqualTo(1);
    }

    @Test
    void after_ten_seconds_a_single_job_decides() {
        openTheCircuit();
        submit("b", "c", "d");
        server.follows(null);

        time.pass(seconds(10));

        assertThat(producer().breaker("email")).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(server.last().types()).containsExactly("a");
    }

    @Test
    void closes_when_that_succeeds_and_what_waits_follows_in_growing_batches() {
        openTheCircuit();
        for (int i = 0; i < 9; i++) submit("b" + i);
        server.answersAll(STORED);

        time.pass(seconds(10));

        assertThat(producer().breaker("email")).isEqualTo(BreakerState.CLOSED);
        assertThat(heard).containsExactly("email OPEN", "email HALF_OPEN", "email CLOSED");
        assertThat(server.requests().stream()
                        .skip(5)
                        .map(request -> request.types().size()))
                .containsExactly(1, 2, 4, 3);
        assertThat(producer().pending()).isZero();
    }

    @Test
    void opens_again_when_that_fails() {
        openTheCircuit();

        time.pass(seconds(10));
        assertThat(server.count()).isEqualTo(6);
        assertThat(producer().breaker("email")).isEqualTo(BreakerState.OPEN);
        time.pass(seconds(10));

        assertThat(server.count()).isEqualTo(7);
    }

    @Test
    void an_answer_that_says_nothing_of_room_leaves_the_question_open() {
        openTheCircuit();
        server.answersAll(FakeServer.unavailable());
        time.pass(seconds(10));

        assertThat(producer().breaker("email")).isEqualTo(BreakerState.HALF_OPEN);
        server.answersAll(STORED);
        time.pass(seconds(1));

        assertThat(producer().breaker("email")).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void other_queues_are_served_meanwhile() {
        openTheCircuit();
        server.answersAll(STORED);

        assertThat(producer().enqueueAsync(Job.of("b").queue("reports"))).isCompleted();
        assertThat(producer().breaker("reports")).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void other_tenants_of_the_same_queue_are_served_meanwhile() {
        server.follows(pendingCommand -> pendingCommand.first().tenant().equals("acme") ? full(1) : STORED);
        producer().submit(job("a").tenant("acme"));

        assertThat(producer().enqueueAsync(job("b").tenant("other"))).isCompleted();
        assertThat(producer().pending()).isEqualTo(1);
    }

    @Test
    void a_server_that_is_not_there_opens_the_circuit_of_all_queues() {
        loseTheServer();

        assertThat(producer().breaker(ProducerListener.SERVER)).isEqualTo(BreakerState.OPEN);
        assertThat(failure(producer().enqueueAsync(Job.of("b").queue("reports"))))
                .isInstanceOf(CircuitOpen.class)
                .hasMessageContaining("the server");
    }

    @Test
    void one_request_finds_out_whether_the_server_is_back() {
        for (String queue : new String[] {"one", "two", "three"})
            producer().submit(Job.of("a").queue(queue));
        server.requests().forEach(request -> request.answers(FakeServer.unavailable()));
        server.answersAll(FakeServer.unavailable());
        time.pass(seconds(2));
        assertThat(producer().breaker(ProducerListener.SERVER)).isEqualTo(BreakerState.OPEN);
        server.follows(null);
        int before = server.count();

        time.pass(seconds(10));
        assertThat(server.count()).isEqualTo(before + 1);
        server.answersAll(STORED);
        server.last().answers(STORED);

        assertThat(server.count()).isEqualTo(before + 3);
        assertThat(producer().pending()).isZero();
    }

    @Test
    void the_server_decides_how_long_it_rests() {
        server.answersAll(
                new SendResult.Unavailable("BACKEND_UNAVAILABLE", "Full.", false, Optional.of(Duration.ofSeconds(30))));
        submit("a");
        time.pass(seconds(30 * 4 + 29));
        assertThat(server.count()).isEqualTo(5);

        time.pass(seconds(1));

        assertThat(server.count()).isEqualTo(6);
    }

    private void openTheCircuit() {
        server.answersAll(full(1));
        submit("a");
        time.pass(seconds(FOUR_MORE_REJECTIONS));
    }

    private void loseTheServer() {
        server.answersAll(FakeServer.unavailable());
        submit("a");
        time.pass(seconds(4));
    }
}
