package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.CutOff;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All roles in one process: what a user has after {@code floodgate up}. */
@Tag("server")
final class StandaloneTest {
    private static final String JOB = "{\"type\":\"email.send\",\"args\":[\"ada@example.com\"]}";
    private static final String FETCH = "{\"queues\":[\"default\"],\"worker_id\":\"w1\",\"wait_ms\":10000}";

    @TempDir
    Path data;

    @Test
    void takes_a_job_hands_it_out_and_sees_it_completed() throws Exception {
        takesAndCompletesAJob(StandaloneConfig.in(data));
    }

    @Test
    void does_so_through_the_network_alone() throws Exception {
        takesAndCompletesAJob(StandaloneConfig.in(data).networkOnly());
    }

    private static void takesAndCompletesAJob(StandaloneConfig config) throws Exception {
        try (var running = new Running()) {
            var http = new HttpApi(Standalone.start(config, running).port());

            var id = http.post("/ojs/v1/jobs", JOB).text("/job/id");
            var fetched = http.post("/ojs/v1/workers/fetch", FETCH).text("/jobs/0/id");
            http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\",\"worker_id\":\"w1\"}".formatted(id));

            assertThat(fetched).isEqualTo(id);
            assertThat(http.get("/ojs/v1/jobs/" + id).text("/job/state")).isEqualTo("completed");
        }
    }

    /** It is handed jobs before it asks next, wherever they come while its fetch waits. */
    @Test
    void hands_jobs_of_any_queue_to_a_worker_that_polls() throws Exception {
        List<String> queues = IntStream.range(0, 8).mapToObj(i -> "queue-" + i).toList();
        String fetch = "{\"queues\":[\"" + String.join("\",\"", queues) + "\"],\"worker_id\":\"w2\"}";
        try (var running = new Running();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var http = start(running);
            http.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w2\",\"active_jobs\":[]}");
            for (String queue : queues) {
                var asking = threads.submit(() -> http.post("/ojs/v1/workers/fetch", fetch));
                var id = http.post("/ojs/v1/jobs", JOB.replace("}", ",\"queue\":\"" + queue + "\"}"))
                        .text("/job/id");

                var fetched = asking.get(20, TimeUnit.SECONDS).text("/jobs/0/id");

                assertThat(fetched).as(queue).isEqualTo(id);
            }
        }
    }

    @Test
    void keeps_its_jobs_over_a_restart() throws Exception {
        String id;
        try (var running = new Running()) {
            id = start(running).post("/ojs/v1/jobs", JOB).text("/job/id");
        }

        try (var running = new Running()) {
            var fetched = start(running).post("/ojs/v1/workers/fetch", FETCH).text("/jobs/0/id");

            assertThat(fetched).isEqualTo(id);
        }
    }

    @Test
    void only_a_server_of_the_command_line_ends_its_process_because_of_an_endless_step() {
        assertThat(new ProcessorOptions().logs().cutOff()).isSameAs(CutOff.ENDING_THE_PROCESS);
        assertThat(StandaloneConfig.in(data).logs().cutOff()).isSameAs(CutOff.DEFAULT);
        CutOff.DEFAULT.whenEndless().run();
    }

    private HttpApi start(Running running) throws InterruptedException {
        return new HttpApi(Standalone.start(StandaloneConfig.in(data), running).port());
    }
}
