package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ClosingTest extends ProducerFixture {
    @Test
    void waits_for_what_is_under_way() throws Exception {
        builder.grace(seconds(60));
        var receipt = enqueue("a");

        CompletableFuture<Void> closing = CompletableFuture.runAsync(producer()::close);
        server.last().answers(STORED);

        closing.get(60, TimeUnit.SECONDS);
        assertThat(receipt).isCompleted();
        assertThat(server.isClosed()).isTrue();
    }

    @Test
    void sends_what_lingers() throws Exception {
        builder.grace(seconds(60)).linger(Duration.ofHours(1));
        server.answersAll(STORED);
        var receipt = enqueue("a");

        CompletableFuture.runAsync(producer()::close).get(60, TimeUnit.SECONDS);

        assertThat(receipt).isCompleted();
    }

    @Test
    void after_the_grace_period_those_who_wait_are_reported() {
        var sent = enqueue("a");
        var waiting = enqueue("b");

        producer().close();
        server.last().answers(FakeServer.unavailable());

        assertThat(failure(waiting)).isInstanceOfSatisfying(ServerUnavailable.class, none -> {
            assertThat(none.code()).isEqualTo("client_closed");
            assertThat(none.outcomeUnknown()).isFalse();
        });
        assertThat(failure(sent))
                .isInstanceOfSatisfying(
                        ServerUnavailable.class,
                        none -> assertThat(none.outcomeUnknown()).isTrue());
    }

    @Test
    void nothing_is_taken_any_more() {
        producer().close();

        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> submit("a")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void who_comes_at_the_same_moment_is_informed_too() {
        var config = ProducerConfig.DEFAULT;
        var lines = new Lines(
                new Sending(config, server, time, () -> 0, Runnable::run, new Listeners(List.of()), kept -> {}));
        OutgoingJob.Ids ids = new OutgoingJob.Ids(() -> 1_700_000_000_000L, () -> 1);
        PendingSend late = PendingSend.awaited(List.of(OutgoingJob.of(job("a"), ids)), 0, Long.MAX_VALUE);

        lines.abandon(new SendResult.Unavailable("client_closed", "Closed.", false, Optional.empty()));
        lines.add(late);

        assertThat(late.ended).isCompletedExceptionally();
        assertThat(server.count()).isZero();
    }

    @Test
    void flush_says_whether_everything_is_stored() throws Exception {
        submit("a");
        assertThat(producer().flush(Duration.ZERO)).isFalse();

        server.last().answers(STORED);

        assertThat(producer().flush(Duration.ZERO)).isTrue();
    }
}
