package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static io.floodgate.client.FakeServer.full;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a producer does when it is rejected, or gets no answer (OJS backpressure §8.1). */
final class RetryTest extends ProducerFixture {
    private static final String OURS = "0190b8a0-7c00-7a2b-8c3d-0123456789ab";

    @Test
    void waits_as_the_server_says_and_then_twice_as_long_each_time() {
        builder.circuit(100, seconds(10));
        server.answersAll(full(3));

        var receipt = enqueue("a");
        time.pass(seconds(44));
        server.answersAll(STORED);
        time.pass(seconds(1));

        assertThat(server.times()).containsExactly(0.0, 3.0, 9.0, 21.0, 45.0);
        assertThat(receipt).isCompleted();
    }

    @Test
    void waits_a_second_if_the_server_does_not_say() {
        server.answersAll(full(0));
        enqueueAll("a");

        time.pass(seconds(3));

        assertThat(server.times()).containsExactly(0.0, 1.0, 3.0);
    }

    @Test
    void waits_no_longer_than_is_configured() {
        builder.circuit(100, seconds(10)).longestDelay(seconds(4)).deadline(seconds(600));
        server.answersAll(full(3));
        enqueueAll("a");

        time.pass(seconds(15));

        assertThat(server.times()).containsExactly(0.0, 3.0, 7.0, 11.0, 15.0);
    }

    @Test
    void tells_the_caller_after_so_many_retries_how_full_the_queue_is() {
        builder.retries(2);
        server.answersAll(full(1));
        var receipt = enqueue("a");

        time.pass(seconds(10));

        assertThat(server.count()).isEqualTo(3);
        assertThat(failure(receipt)).isInstanceOfSatisfying(QueueFull.class, full -> {
            assertThat(full.code()).isEqualTo("QUEUE_FULL");
            assertThat(full.queue()).isEqualTo("email");
            assertThat(full.depth()).isEqualTo(10);
            assertThat(full.bound()).isEqualTo(10);
            assertThat(full.retryAfter()).contains(seconds(1));
            assertThat(full.retryable()).isTrue();
            assertThat(full.jobId()).isPresent();
        });
    }

    @Test
    void tells_the_caller_at_once_when_the_deadline_would_pass_first() {
        builder.deadline(seconds(5));
        server.answersAll(full(10));

        var receipt = enqueue("a");

        assertThat(failure(receipt)).isInstanceOf(QueueFull.class);
        assertThat(server.count()).isEqualTo(1);
    }

    @Test
    void a_caller_is_informed_at_its_deadline_however_long_those_before_it_take() {
        builder.deadline(seconds(5)).batches(1, 100_000);
        submit("slow", "slow", "slow");
        time.pass(seconds(1));
        var receipt = enqueue("a");
        server.last().answers(STORED);

        time.pass(Duration.ofMillis(4_999));
        assertThat(receipt).isNotDone();
        time.pass(Duration.ofMillis(1));

        assertThat(failure(receipt)).isInstanceOfSatisfying(ServerUnavailable.class, late -> {
            assertThat(late.code()).isEqualTo("client_deadline");
            assertThat(late.outcomeUnknown()).isFalse();
            assertThat(late.jobId()).isPresent();
        });
        assertThat(producer().pending()).isEqualTo(2);
        server.answersAll(STORED);
        server.last().answers(STORED);
        assertThat(server.requests().stream().flatMap(request -> request.types().stream()))
                .containsExactly("slow", "slow", "slow");
    }

    @Test
    void a_caller_is_informed_at_its_deadline_while_all_requests_are_under_way() {
        builder.deadline(seconds(5)).requests(1);
        submit("slow");

        var receipts = producer()
                .enqueueAllAsync(List.of(Job.of("a").queue("b"), Job.of("a").queue("b")));
        time.pass(seconds(5));

        assertThat(failure(receipts)).isInstanceOf(ServerUnavailable.class);
        server.last().answers(STORED);
        assertThat(enqueue("c")).isNotDone();
        assertThat(server.last().types()).containsExactly("c");
    }

    @Test
    void a_server_that_does_not_answer_is_asked_again_with_the_same_id() {
        server.answersAll(FakeServer.unavailable());
        var receipt = enqueue("a");
        server.answersAll(STORED);

        time.pass(Duration.ofMillis(200));

        assertThat(receipt.join().wasThere()).isFalse();
        assertThat(server.requests().stream()
                        .map(request -> request.pendingCommand().first().id()))
                .hasSize(2)
                .containsOnly(JobId.parse(receipt.join().id()).orElseThrow());
    }

    @Test
    void an_id_leads_to_the_log_of_the_queue() {
        server.answersAll(STORED);

        String id = enqueue("a").join().id();

        assertThat(JobId.parse(id).orElseThrow().slot()).isEqualTo(Slot.of("email"));
    }

    @Test
    void a_job_that_an_earlier_try_has_stored_is_enqueued() {
        server.answersAll(FakeServer.unavailable());
        var receipt = enqueue("a");
        server.follows(pendingCommand ->
                FakeServer.duplicate(pendingCommand.first().id().toString()));

        time.pass(Duration.ofMillis(200));

        assertThat(receipt.join().wasThere()).isTrue();
    }

    @Test
    void a_batch_that_an_earlier_try_has_stored_is_enqueued() {
        server.answersAll(FakeServer.unavailable());
        CompletableFuture<List<Receipt>> receipts = producer().enqueueAllAsync(List.of(job("a"), job("b")));
        server.follows(pendingCommand ->
                FakeServer.duplicate(pendingCommand.jobs().get(1).id().toString()));

        time.pass(Duration.ofMillis(200));

        assertThat(receipts.join()).hasSize(2).allMatch(Receipt::wasThere);
    }

    @Test
    void another_job_in_the_way_is_reported() {
        server.answersAll(FakeServer.duplicate(OURS));

        assertThat(failure(enqueue("a")))
                .isInstanceOfSatisfying(
                        DuplicateJob.class,
                        duplicate -> assertThat(duplicate.existingJobId()).contains(OURS));
    }

    @Test
    void an_id_of_ones_own_that_is_there_is_enqueued() {
        server.answersAll(FakeServer.duplicate(OURS));

        assertThat(producer().enqueueAsync(job("a").id(OURS)).join())
                .isEqualTo(new Receipt(OURS, "email", true, false, Optional.empty()));
    }

    @Test
    void when_no_client_knows_the_caller_is_informed_with_the_id_to_ask_again_with() {
        builder.retries(1);
        server.answersAll(FakeServer.unavailable());
        var receipt = enqueue("a");

        time.pass(seconds(1));

        assertThat(failure(receipt)).isInstanceOfSatisfying(ServerUnavailable.class, none -> {
            assertThat(none.outcomeUnknown()).isTrue();
            assertThat(none.jobId())
                    .contains(server.last().pendingCommand().first().id().toString());
        });
    }

    @Test
    void a_definite_no_is_not_asked_again() {
        server.answersAll(FakeServer.wrong());

        assertThat(failure(enqueue("a"))).isExactlyInstanceOf(JobRejected.class).hasMessage("Wrong.");
        time.pass(seconds(60));
        assertThat(server.count()).isEqualTo(1);
    }

    @Test
    void a_batch_that_never_fits_is_not_asked_for_again() {
        server.answersAll(
                new SendResult.Rejected("QUEUE_FULL", "Never.", true, false, Optional.empty(), Map.of("bound", "1")));

        assertThat(failure(producer().enqueueAllAsync(List.of(job("a"), job("b")))))
                .isInstanceOf(QueueFull.class);
        assertThat(server.count()).isEqualTo(1);
    }

    @Test
    void what_the_server_would_reject_is_not_sent() {
        assertThat(failure(producer().enqueueAsync(Job.of("No Type"))))
                .isInstanceOfSatisfying(JobRejected.class, rejected -> {
                    assertThat(rejected.code()).isEqualTo("invalid_request");
                    assertThat(rejected.details()).containsEntry("field", "type");
                });
        assertThat(server.count()).isZero();
    }

    @Test
    void a_client_that_cancels_is_not_sent() {
        enqueueAll("a");
        var second = enqueue("b");

        second.cancel(false);
        server.last().answers(STORED);

        assertThat(server.count()).isEqualTo(1);
        assertThat(producer().pending()).isZero();
    }

    @Test
    void warnings_reach_the_caller_and_the_listener() {
        var pressure = new QueuePressure("email", 42, 50, 0.84);
        server.answersAll(new SendResult.Stored(Optional.of(pressure)));

        assertThat(enqueue("a").join().pressure()).contains(pressure);
        assertThat(heard).containsExactly("email 0.84");
    }
}
