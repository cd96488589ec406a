package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static io.floodgate.client.FakeServer.full;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which jobs travel together, and in which order. */
final class BatchingTest extends ProducerFixture {
    @Test
    void what_comes_while_a_request_is_under_way_travels_in_the_next_one() {
        enqueueAll("a", "b", "c");
        assertThat(server.count()).isEqualTo(1);

        server.last().answers(STORED);

        assertThat(server.last().types()).containsExactly("b", "c");
    }

    @Test
    void of_one_queue_a_single_request_is_under_way_and_of_others_their_own() {
        enqueueAll("a", "b");
        producer().submit(Job.of("c").queue("reports"));

        assertThat(server.requests().stream().map(FakeServer.Request::types))
                .containsExactly(List.of("a"), List.of("c"));
    }

    @Test
    void a_batch_has_so_many_jobs_at_most() {
        builder.batches(2, 100_000);
        enqueueAll("a", "b", "c", "d");

        server.last().answers(STORED);

        assertThat(server.last().types()).containsExactly("b", "c");
    }

    @Test
    void a_batch_has_so_many_bytes_at_most() {
        builder.batches(100, 1_000);
        enqueueAll("a");
        for (String type : List.of("b", "c", "d")) producer().submit(job(type).meta("padding", "x".repeat(400)));

        server.last().answers(STORED);
        assertThat(server.last().types()).hasSizeLessThan(3).startsWith("b");
        producer().submit(job("e").meta("padding", "x".repeat(5_000)));
        server.answersAll(STORED);
        server.last().answers(STORED);

        assertThat(server.last().types()).as("alone, since it is larger").containsExactly("e");
    }

    @Test
    void a_job_waits_for_company_as_long_as_it_may_linger() {
        builder.linger(Duration.ofMillis(50));
        enqueueAll("a", "b");
        time.pass(Duration.ofMillis(49));
        assertThat(server.count()).isZero();
        enqueueAll("c");

        time.pass(Duration.ofMillis(1));

        assertThat(server.last().types()).containsExactly("a", "b", "c");
    }

    @Test
    void a_batch_that_is_full_does_not_linger() {
        builder.linger(Duration.ofMillis(50)).batches(2, 100_000);

        enqueueAll("a", "b");

        assertThat(server.last().types()).containsExactly("a", "b");
    }

    @Test
    void jobs_that_are_stored_together_travel_alone_and_keep_their_place() {
        enqueueAll("a");
        submit("b");
        var receipts = producer().enqueueAllAsync(List.of(job("c"), job("d")));
        submit("e");
        server.answersAll(STORED);

        server.last().answers(STORED);

        assertThat(server.requests().stream().map(FakeServer.Request::types))
                .containsExactly(List.of("a"), List.of("b"), List.of("c", "d"), List.of("e"));
        assertThat(receipts.join()).hasSize(2).extracting(Receipt::id).doesNotHaveDuplicates();
    }

    @Test
    void there_is_less_in_a_batch_after_a_rejection_and_more_after_a_success() {
        enqueueAll("z");
        submit("a", "b", "c", "d", "e", "f", "g", "h");
        server.last().answers(STORED);
        assertThat(server.last().types()).hasSize(8);
        server.last().answers(full(1));
        server.answersAll(STORED);

        time.pass(seconds(1));

        assertThat(server.requests().stream().skip(2).map(FakeServer.Request::types))
                .containsExactly(List.of("a", "b", "c", "d"), List.of("e", "f", "g", "h"));
    }

    @Test
    void when_a_batch_is_rejected_each_job_is_reported_for_itself() {
        enqueueAll("z");
        var good = enqueue("a");
        var bad = enqueue("bad");
        var last = enqueue("c");
        server.follows(pendingCommand ->
                pendingCommand.jobs().stream().anyMatch(job -> job.text().contains("bad"))
                        ? FakeServer.wrong()
                        : STORED);

        server.last().answers(STORED);

        assertThat(good).isCompleted();
        assertThat(failure(bad)).isInstanceOf(JobRejected.class);
        assertThat(last).isCompleted();
    }

    @Test
    void a_batch_that_never_fits_is_made_smaller_without_delay() {
        enqueueAll("z");
        submit("a", "b", "c", "d");
        server.follows(pendingCommand -> pendingCommand.jobs().size() > 1
                ? new SendResult.Rejected("QUEUE_FULL", "Never.", true, false, Optional.empty(), Map.of())
                : STORED);

        server.last().answers(STORED);

        assertThat(producer().pending()).isZero();
        assertThat(time.now()).isZero();
    }

    @Test
    void order_is_kept_through_rejections_and_failures() {
        server.answersAll(full(1));
        submit("a", "b");
        server.answersAll(FakeServer.unavailable());
        time.pass(seconds(1));
        submit("c");
        server.answersAll(STORED);

        time.pass(seconds(60));

        assertThat(server.requests().stream().skip(2).flatMap(request -> request.types().stream()))
                .containsExactly("a", "b", "c");
    }

    @Test
    void no_more_requests_are_under_way_than_are_allowed_and_each_client_has_a_turn() {
        builder.requests(2);
        for (int i = 0; i < 5; i++) producer().submit(Job.of("a").queue("q" + i));
        assertThat(server.count()).isEqualTo(2);

        for (int i = 0; i < 5; i++) server.requests().get(i).answers(STORED);

        assertThat(server.requests().stream()
                        .map(request -> request.pendingCommand().first().queue()))
                .containsExactly("q0", "q1", "q2", "q3", "q4");
        assertThat(producer().pending()).isZero();
    }
}
