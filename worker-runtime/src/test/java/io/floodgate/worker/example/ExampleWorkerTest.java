package io.floodgate.worker.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.worker.FakeLog;
import io.floodgate.worker.Worker;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExampleWorkerTest {
    private final FakeLog log = new FakeLog();
    private Worker worker;

    @BeforeEach
    void start() {
        worker = ExampleWorker.start(log.worker(), List.of("default"), 10);
    }

    @AfterEach
    void stop() {
        log.parksNoMore();
        worker.close();
    }

    @Test
    void handles_what_the_demo_enqueues() throws Exception {
        log.has("email.send");
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        log.has("demo.greeting");
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void shows_a_retry() throws Exception {
        log.has("demo.flaky", 1);
        assertThat(((Nack) log.nextReport()).error().retryable()).isNull();
        log.has("demo.flaky", 2);
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void shows_a_dead_letter() throws Exception {
        log.has("demo.broken");
        assertThat(((Nack) log.nextReport()).error().retryable()).isFalse();
    }
}
