package io.floodgate.standalone;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.client.ProducerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A producer with a buffer on disk, in a process of its own, so that it can be killed. */
final class ProducerProcess implements AutoCloseable {
    static final String QUEUE = "bulk";

    private final Process process;

    private ProducerProcess(Process process) {
        this.process = process;
    }

    /** Returns once {@code jobs} jobs were submitted. */
    static ProducerProcess start(String server, Path buffer, int jobs) throws IOException {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var process = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        ProducerProcess.class.getName(),
                        server,
                        buffer.toString(),
                        Integer.toString(jobs))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (out.readLine() == null) throw new IOException("the producer's process ended before it had submitted all");
        return new ProducerProcess(process);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    static ProducerBuilder producer(String server, Path buffer) {
        return Producer.http(server)
                .onDisk(buffer)
                .circuit(1_000, Duration.ofSeconds(1))
                .longestDelay(Duration.ofSeconds(1));
    }

    public static void main(String... args) throws InterruptedException {
        Producer producer = producer(args[0], Path.of(args[1])).build();
        for (int i = 0; i < Integer.parseInt(args[2]); i++)
            producer.submit(Job.of("row.import", i).queue(QUEUE));
        System.out.println("submitted");
        new CountDownLatch(1).await();
    }
}
