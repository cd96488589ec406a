package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the README and of the page about producers, as they stand there. */
@Tag("server")
final class ReadmeCodeTest {
    @TempDir
    Path directory;

    @Test
    void a_plain_kafka_client_enqueues_and_a_worker_of_ones_own_does_the_job() throws Exception {
        try (var classes = compile("EnqueueEmail", "EmailWorker");
                var running = new Running()) {
            var started = Standalone.start(StandaloneConfig.in(directory.resolve("data")), running);
            var http = new HttpApi(started.port());
            String[] bootstrap = {started.bootstrap()};

            method(classes, "EnqueueEmail", "main", String[].class).invoke(null, (Object) bootstrap);
            var worker = (AutoCloseable)
                    method(classes, "EmailWorker", "start", String.class).invoke(null, started.bootstrap());
            running.add("worker", Objects.requireNonNull(worker));

            assertThat(nextCompletion(http)).isEqualTo("job.completed");
        }
    }

    @Test
    void a_producer_enqueues_one_job_and_submits_another() throws Exception {
        try (var classes = compile("EnqueueReports");
                var running = new Running()) {
            var started = Standalone.start(StandaloneConfig.in(directory.resolve("data")), running);
            String[] arguments = {
                "http://127.0.0.1:" + started.port(),
                directory.resolve("buffer").toString()
            };

            method(classes, "EnqueueReports", "main", String[].class).invoke(null, (Object) arguments);

            assertThat(new HttpApi(started.port()).get("/ojs/v1/queues/reports").text("/depth"))
                    .isEqualTo("2");
        }
    }

    /** The event has the id of a job that a plain client enqueued: no answer carried it. */
    private static String nextCompletion(HttpApi http) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < deadline) {
            String type =
                    http.get("/ojs/v1/events?queue=email&types=job.completed").text("/events/0/type");
            if (!type.isEmpty()) return type;
            // Waits a moment, on a queue that is not in use.
            http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"unused\"],\"wait_ms\":200}");
        }
        return "nothing";
    }

    private URLClassLoader compile(String... names) throws Exception {
        Path target = Files.createDirectory(directory.resolve("classes"));
        for (String name : names) {
            Path file = Files.writeString(
                    directory.resolve(name + ".java"), Readme.source(name).text());
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-proc:none",
                            "-d",
                            target.toString(),
                            file.toString());
            assertThat(failed).as("compiling " + name).isZero();
        }
        return new URLClassLoader(new URL[] {target.toUri().toURL()}, getClass().getClassLoader());
    }

    private static Method method(ClassLoader classes, String type, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        Method method = classes.loadClass(type).getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
