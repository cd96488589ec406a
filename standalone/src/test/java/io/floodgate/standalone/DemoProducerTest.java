package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DemoProducerTest {
    @Test
    void enqueues_jobs_that_the_example_worker_can_handle() throws Exception {
        var log = new FakeLog();
        try (var producer = DemoProducer.start(log, "demo", Duration.ofMillis(1))) {
            var job =
                    Json.tree(((Enqueue) log.requests.poll(20, TimeUnit.SECONDS).command()).job());

            assertThat(job.get("type").stringValue()).isEqualTo("email.send");
            assertThat(job.get("queue").stringValue()).isEqualTo("demo");
        }
    }

    private static final class FakeLog implements CommandClient {
        final BlockingQueue<CommandRequest> requests = new LinkedBlockingQueue<>();

        @Override
        public Routing routing() {
            return new Routing(1);
        }

        @Override
        public CompletableFuture<Reply> send(CommandRequest request) {
            requests.add(request);
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }
}
