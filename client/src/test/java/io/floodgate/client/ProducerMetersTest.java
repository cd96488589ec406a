package io.floodgate.client;

import static io.floodgate.client.FakeServer.STORED;
import static io.floodgate.client.FakeServer.full;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ProducerMetersTest extends ProducerFixture {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void count_requests_and_jobs_by_how_they_ended() {
        builder.listener(new ProducerMeters(registry));
        server.answersAll(full(1));
        submit("a", "b");
        server.answersAll(STORED);
        time.pass(seconds(1));

        assertThat(registry.get("ojs.producer.requests")
                        .tag("result", "backpressure")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("ojs.producer.jobs")
                        .tag("result", "stored")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void show_how_full_the_buffer_is() {
        builder.listener(new ProducerMeters(registry)).buffer(4, 1_000_000);

        submit("a");

        assertThat(registry.get("ojs.producer.buffer.jobs").gauge().value()).isEqualTo(1);
        assertThat(registry.get("ojs.producer.buffer.bytes").gauge().value()).isPositive();
        assertThat(registry.get("ojs.producer.buffer.saturation").gauge().value())
                .isEqualTo(0.25);
    }

    @Test
    void show_circuits_and_pressure_by_queue() {
        builder.listener(new ProducerMeters(registry)).circuit(1, seconds(10));
        server.answersAll(new SendResult.Stored(Optional.of(new QueuePressure("email", 9, 10, 0.9))));
        submit("a");
        server.answersAll(full(1));
        submit("b");

        assertThat(registry.get("ojs.producer.queue.pressure")
                        .tag("queue", "email")
                        .gauge()
                        .value())
                .isEqualTo(0.9);
        assertThat(registry.get("ojs.producer.breaker.state")
                        .tag("queue", "email")
                        .gauge()
                        .value())
                .isEqualTo(2);
    }

    @Test
    void count_what_is_given_up() {
        builder.listener(new ProducerMeters(registry));
        server.answersAll(FakeServer.wrong());

        submit("a");

        assertThat(registry.get("ojs.producer.given_up")
                        .tag("code", "invalid_request")
                        .counter()
                        .count())
                .isEqualTo(1);
    }
}
