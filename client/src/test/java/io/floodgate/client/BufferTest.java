package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static io.floodgate.client.FakeServer.full;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.journal.Journal;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are submitted: kept locally until the server has them (OJS backpressure §8.3). */
final class BufferTest extends ProducerFixture {
    @TempDir
    Path directory;

    @Test
    void what_is_submitted_is_tried_until_it_is_stored() {
        server.answersAll(full(1));
        submit("a", "b", "c");

        time.pass(Duration.ofMinutes(10));
        assertThat(producer().pending()).isEqualTo(3);
        server.answersAll(STORED);
        time.pass(seconds(10));

        assertThat(producer().pending()).isZero();
    }

    @Test
    void an_hour_of_a_full_queue_costs_six_requests_a_minute() {
        server.answersAll(full(1));
        submit("a", "b", "c");
        time.pass(Duration.ofMinutes(1));
        int before = server.count();

        time.pass(Duration.ofMinutes(60));

        assertThat(server.count() - before).isBetween(350, 360);
    }

    @Test
    @Timeout(60)
    void submitting_costs_the_same_however_many_wait_at_a_full_queue() {
        builder.buffer(300_000, 1_000_000_000);
        server.answersAll(full(1));

        for (int i = 0; i < 200_000; i++) producer().submit(job("a"));

        assertThat(producer().pending()).isEqualTo(200_000);
    }

    @Test
    void has_a_bound_in_jobs() {
        builder.buffer(2, 100_000);
        submit("a", "b");

        assertThatThrownBy(() -> submit("c"))
                .isInstanceOfSatisfying(
                        BufferFull.class, full -> assertThat(full.code()).isEqualTo("client_buffer_full"));
        assertThat(failure(enqueue("d"))).isInstanceOf(BufferFull.class);
        server.last().answers(STORED);
        submit("e");
    }

    @Test
    void has_a_bound_in_bytes() {
        builder.buffer(100, 1_000);
        submit("a");

        assertThatThrownBy(() -> producer().submit(job("b").meta("padding", "x".repeat(1_000))))
                .isInstanceOf(BufferFull.class);
        assertThat(producer().pending()).isEqualTo(1);
    }

    @Test
    void a_client_that_may_wait_comes_in_when_there_is_room() throws Exception {
        builder.buffer(1, 100_000).waitWhenFull(seconds(60));
        submit("a");
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> submit("b"));
        assertThat(waiting).isNotDone();

        server.last().answers(STORED);

        waiting.get(60, TimeUnit.SECONDS);
        assertThat(server.last().types()).containsExactly("b");
    }

    @Test
    void what_the_server_will_never_take_is_reported_and_given_up() {
        server.answersAll(FakeServer.wrong());

        submit("a");

        assertThat(heard)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("rejected invalid_request {")
                .contains("\"type\":\"a\"");
        assertThat(producer().pending()).isZero();
    }

    @Test
    void a_job_that_makes_the_server_fail_does_not_stop_the_others_for_good() {
        var fails = new SendResult.Rejected("internal_error", "A bug.", false, true, Optional.empty(), Map.of());
        server.follows(pendingCommand -> pendingCommand.first().text().contains("poison") ? fails : STORED);
        submit("poison", "b");

        time.pass(Duration.ofMinutes(2));

        assertThat(heard).hasSize(1).first().asString().startsWith("rejected internal_error");
        assertThat(producer().pending()).isZero();
    }

    @Test
    void what_is_on_disk_is_sent_by_the_next_producer_in_the_same_order_and_with_the_same_ids() {
        builder.onDisk(directory);
        server.answersAll(full(1));
        submit("a", "b", "c");
        List<String> ids = List.of(server.last().pendingCommand().first().id().toString());
        producer().close();

        server.answersAll(STORED);
        int before = server.count();
        start();

        assertThat(server.requests().stream().skip(before).flatMap(request -> request.types().stream()))
                .containsExactly("a", "b", "c");
        assertThat(server.requests().get(before).pendingCommand().first().id()).hasToString(ids.getFirst());
        assertThat(producer().pending()).isZero();
    }

    @Test
    void what_was_stored_or_rejected_is_not_sent_again() {
        builder.onDisk(directory);
        server.follows(pendingCommand -> pendingCommand.first().text().contains("bad") ? FakeServer.wrong() : STORED);
        submit("a", "bad", "b");
        producer().close();
        int before = server.count();

        start();

        assertThat(server.count()).isEqualTo(before);
    }

    @Test
    void what_was_taken_by_the_server_unnoticed_is_found_there() {
        builder.onDisk(directory);
        submit("a", "b");
        producer().close();

        server.follows(pendingCommand ->
                FakeServer.duplicate(pendingCommand.first().id().toString()));
        start();

        assertThat(producer().pending()).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void what_this_version_cannot_read_is_reported_and_stays_for_one_that_can() throws Exception {
        try (Journal journal = Journal.open(directory, false)) {
            journal.add("{\"type\": \"of another version\"}".getBytes(UTF_8));
            journal.add(OutgoingJob.of(job("a"), new OutgoingJob.Ids(() -> 1, () -> 1))
                    .json());
        }
        builder.onDisk(directory);
        server.answersAll(STORED);

        start().close();
        start();

        assertThat(heard).containsExactly("unreadable 1", "unreadable 1");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void two_producers_cannot_share_a_directory() {
        builder.onDisk(directory);
        producer();

        assertThatThrownBy(this::start)
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("another producer is using it");
    }

    @Test
    void what_is_larger_than_the_bound_after_a_restart_is_sent_all_the_same() {
        builder.onDisk(directory);
        submit("a", "b", "c");
        producer().close();

        builder.buffer(1, 10);
        server.answersAll(STORED);
        start();

        assertThat(producer().pending()).isZero();
    }
}
