package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.client.DuplicateJob;
import io.floodgate.client.Job;
import io.floodgate.client.JobRejected;
import io.floodgate.client.Producer;
import io.floodgate.client.ProducerBuilder;
import io.floodgate.client.ProducerListener;
import io.floodgate.client.QueueFull;
import io.floodgate.client.QueuePressure;
import io.floodgate.client.Receipt;
import io.floodgate.topics.circuit.BreakerState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library for producers at a whole Floodgate. */
@Tag("server")
final class ProducerTest {
    private static final int MANY = Effort.isLittle() ? 30_000 : 100_000;

    private static final String OURS = "0190b8a0-7c00-7a2b-8c3d-0123456789ab";

    @TempDir
    Path data;

    private final Running running = new Running();
    private Standalone started;
    private HttpApi http;

    @BeforeEach
    void start() throws Exception {
        started = Standalone.start(StandaloneConfig.in(data.resolve("server")), running);
        http = new HttpApi(started.port());
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private String server() {
        return "http://127.0.0.1:" + started.port();
    }

    private ProducerBuilder over(String way) {
        return way.equals("http")
                ? Producer.http(server())
                : Producer.kafka(Map.of("bootstrap.servers", started.bootstrap()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "kafka"})
    void jobs_are_enqueued_once_however_they_are_sent(String way) throws Exception {
        try (Producer producer = over(way).build()) {
            Receipt receipt = producer.enqueue(job(1));
            List<Receipt> receipts = producer.enqueueAll(List.of(job(2), job(3), job(4).queue("other")));
            String submitted = producer.submit(job(5));
            assertThat(producer.flush(Duration.ofSeconds(60))).isTrue();

            assertThat(http.get("/ojs/v1/jobs/" + receipt.id()).text("/job/state"))
                    .isEqualTo("available");
            assertThat(http.get("/ojs/v1/jobs/" + submitted).text("/job/args/0"))
                    .isEqualTo("5");
            assertThat(receipts).extracting(Receipt::wasThere).containsOnly(false);
            assertThat(producer.enqueue(job(1).id(receipt.id())).wasThere()).isTrue();
            assertThat(producer.enqueue(job(6).id(OURS)).wasThere()).isFalse();
            assertThat(producer.enqueue(job(6).id(OURS)).wasThere()).isTrue();
            assertThat(depth()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "kafka"})
    void rejections_have_the_codes_of_the_server(String way) throws Exception {
        bound(2);
        try (Producer producer = over(way).retries(0).build()) {
            assertThat(producer.enqueue(job(1)).pressure()).isEmpty();
            assertThat(producer.enqueue(job(2)).pressure()).contains(new QueuePressure("bulk", 2, 2, 1.0));

            assertThatThrownBy(() -> producer.enqueue(job(3))).isInstanceOfSatisfying(QueueFull.class, full -> {
                assertThat(full.code()).isEqualTo("QUEUE_FULL");
                assertThat(full.depth()).isEqualTo(2);
                assertThat(full.bound()).isEqualTo(2);
                assertThat(full.retryAfter()).isPresent();
            });
            assertThatThrownBy(() -> producer.enqueueAll(List.of(job(1), job(2), job(3))))
                    .isInstanceOfSatisfying(
                            QueueFull.class,
                            full -> assertThat(full.retryAfter()).isEmpty());
            assertThatThrownBy(() -> producer.enqueueAll(List.of(
                            job(4).queue("other").id(OURS),
                            job(5).queue("other").id(OURS))))
                    .isInstanceOfAny(DuplicateJob.class, JobRejected.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "kafka"})
    void a_queue_that_was_full_gets_everything_and_is_not_stormed(String way) throws Exception {
        bound(10);
        Requests requests = new Requests();
        try (Producer producer =
                over(way).circuit(1, Duration.ofSeconds(1)).listener(requests).build()) {
            producer.enqueueAll(
                    IntStream.range(0, 10).mapToObj(ProducerTest::job).toList());
            for (int i = 10; i < 2_000; i++) producer.submit(job(i));
            Eventually.until("the circuit has opened twice", () -> requests.opened() >= 2);
            int whileFull = requests.count();
            assertThat(requests.mostWithinASecond(0)).as("while it was full").isLessThanOrEqualTo(2);

            bound(0);
            assertThat(producer.flush(Duration.ofSeconds(60))).isTrue();

            assertThat(depth()).isEqualTo(2_000);
            assertThat(requests.states)
                    .startsWith(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.OPEN)
                    .endsWith(BreakerState.HALF_OPEN, BreakerState.CLOSED);
            assertThat(requests.mostWithinASecond(whileFull))
                    .as("when it opens: 1, 2, 4 … 500 jobs, one request after the other")
                    .isLessThanOrEqualTo(14);
        }
    }

    @Test
    void jobs_on_disk_survive_a_kill_and_are_enqueued_once_each() throws Exception {
        bound(1_000);
        Path buffer = data.resolve("buffer");
        try (var process = ProducerProcess.start(server(), buffer, MANY)) {
            assertThat(depth()).isLessThanOrEqualTo(1_000);
            bound(0);
            Eventually.until("some of them are there", () -> depth() > 5_000);
            process.kill();
        }
        long before = depth();
        assertThat(before).as("it was killed in the middle").isLessThan(MANY);

        try (Producer producer = ProducerProcess.producer(server(), buffer).build()) {
            // The exact number is unknown: jobs under way when it was killed may be there or not.
            assertThat(producer.pending()).as("the rest was on disk").isPositive();
            assertThat(producer.flush(Duration.ofMinutes(2))).isTrue();
        }

        assertThat(depth()).isEqualTo(MANY);
    }

    @Test
    void jobs_are_kept_while_the_server_is_away() throws Exception {
        Path buffer = data.resolve("buffer");
        int none = 1;
        try (Producer producer = Producer.http("http://127.0.0.1:" + none)
                .onDisk(buffer)
                .grace(Duration.ZERO)
                .build()) {
            IntStream.range(0, 10).forEach(i -> producer.submit(job(i)));
        }

        try (Producer producer = Producer.http(server()).onDisk(buffer).build()) {
            assertThat(producer.flush(Duration.ofSeconds(60))).isTrue();
        }

        assertThat(depth()).isEqualTo(10);
    }

    private static Job job(int number) {
        return Job.of("row.import", number).queue(ProducerProcess.QUEUE);
    }

    private void bound(int depth) throws Exception {
        http.put(
                "/ojs/v1/queues/%s/config".formatted(ProducerProcess.QUEUE),
                "{\"backpressure\":{\"max_depth\":%d,\"strategy\":\"reject\"}}".formatted(depth));
    }

    private long depth() throws Exception {
        return http.get("/ojs/v1/queues/" + ProducerProcess.QUEUE)
                .body()
                .at("/depth")
                .asLong();
    }

    /** When requests ended, and the states of the circuit. */
    private static final class Requests implements ProducerListener {
        private final ConcurrentLinkedQueue<Long> ends = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<BreakerState> states = new ConcurrentLinkedQueue<>();

        @Override
        public void answered(String queue, int jobs, Result result, Duration took) {
            ends.add(System.nanoTime());
        }

        @Override
        public void breaker(String queue, BreakerState state) {
            states.add(state);
        }

        int count() {
            return ends.size();
        }

        long opened() {
            return states.stream().filter(BreakerState.OPEN::equals).count();
        }

        /** Of the requests from this one on. */
        long mostWithinASecond(int first) {
            List<Long> all = ends.stream().skip(first).toList();
            long second = Duration.ofSeconds(1).toNanos();
            return all.stream()
                    .mapToLong(begin -> all.stream()
                            .filter(end -> end >= begin && end < begin + second)
                            .count())
                    .max()
                    .orElse(0);
        }
    }
}
