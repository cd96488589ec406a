package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The broker is gone for longer than a worker may be silent, and handlers end meanwhile. */
@Tag("server")
final class BrokerOutageTest {
    private static final int JOBS = 15;
    /** Silence is noticed after 30 s. */
    private static final Duration OUTAGE = Duration.ofSeconds(40);

    @TempDir
    Path data;

    @DisabledIfSystemProperty(
            named = "search.effort",
            matches = "0\\.1",
            disabledReason = "takes 90 s: ./floodgate test --long")
    @Tag("long")
    @Test
    void no_completion_is_lost_by_workers_that_live_on_or_are_killed_with_a_journal() throws Exception {
        BrokerConfig config = new BrokerConfig(data.resolve("broker"), 0, Optional.empty(), Map.of());
        EmbeddedBroker broker = EmbeddedBroker.start(config);
        String bootstrap = broker.bootstrap();
        BrokerConfig again = new BrokerConfig(
                config.data(),
                Integer.parseInt(bootstrap.substring(bootstrap.indexOf(':') + 1)),
                Optional.empty(),
                Map.of());
        try (var running = new Running()) {
            Standalone all = Standalone.join(bootstrap, StandaloneConfig.in(data), running);
            HttpApi http = new HttpApi(all.port());
            for (String queue : new String[] {"steady", "kept", "plain"})
                for (int i = 0; i < JOBS; i++) http.post("/ojs/v1/jobs", job(queue));
            try (var steady = worker(bootstrap, "steady", false);
                    var kept = worker(bootstrap, "kept", true);
                    var plain = worker(bootstrap, "plain", false)) {
                for (WorkerProcess each : new WorkerProcess[] {steady, kept, plain})
                    Eventually.until("all jobs are begun", () -> each.begun().size() == JOBS);

                // when
                broker.close();
                long gone = System.nanoTime();
                for (WorkerProcess each : new WorkerProcess[] {steady, kept, plain}) each.letGo();
                for (WorkerProcess each : new WorkerProcess[] {steady, kept, plain})
                    Eventually.until(
                            "all handlers have ended", () -> each.ended().size() == JOBS);
                Eventually.until("it is all written down", () -> kept.hasWrittenDown(kept.ended()));
                kept.kill();
                plain.kill();
                // As by a supervisor, at once. What a partition does on its return leaves them little time for that.
                try (var nextKept = worker(bootstrap, "kept", true);
                        var nextPlain = worker(bootstrap, "plain", false)) {
                    Eventually.until("that was long enough", () -> System.nanoTime() - gone > OUTAGE.toNanos());
                    broker = EmbeddedBroker.start(again);

                    // then
                    for (String queue : new String[] {"steady", "kept", "plain"})
                        Eventually.until(queue + " is done", () -> completed(http, queue) == JOBS);
                    assertThat(steady.begun()).hasSize(JOBS);
                    assertThat(nextKept.begun()).hasSize(JOBS);
                    // whose outcomes are unknown run again
                    assertThat(new HashSet<>(nextPlain.ended())).hasSize(JOBS);
                }
            }
        } finally {
            broker.close();
        }
    }

    private WorkerProcess worker(String bootstrap, String queue, boolean kept) throws Exception {
        return WorkerProcess.start(bootstrap, queue, data.resolve(queue), kept);
    }

    private static String job(String queue) {
        return "{\"type\":\"slow\",\"args\":[],\"options\":{\"queue\":\"%s\"}}".formatted(queue);
    }

    private static int completed(HttpApi http, String queue) throws Exception {
        try {
            return Integer.parseInt(http.get("/ojs/v1/queues/" + queue).text("/completed_last_hour"));
        } catch (AssertionError notBackYet) {
            return 0;
        }
    }
}
