package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A worker in a process of its own, so that it can be killed. Its handlers say in a file that they have begun, wait until they
 * are let go, and say in another file that they have ended.
 */
final class WorkerProcess implements AutoCloseable {
    private final Process process;
    private final Path directory;

    private WorkerProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /** @param kept whether it has a journal */
    static WorkerProcess start(String bootstrap, String queue, Path directory, boolean kept) throws IOException {
        Files.createDirectories(directory);
        var java = ProcessHandle.current().info().command().orElseThrow();
        var process = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        WorkerProcess.class.getName(),
                        bootstrap,
                        queue,
                        directory.toString(),
                        String.valueOf(kept))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        return new WorkerProcess(process, directory);
    }

    /** From now on its handlers end. */
    void letGo() throws IOException {
        Files.createFile(directory.resolve("go"));
    }

    /** The jobs whose handlers have begun, as often as they have. */
    List<String> begun() throws IOException {
        return lines("begun");
    }

    List<String> ended() throws IOException {
        return lines("ended");
    }

    /** Whether an outcome of each of these jobs is in its journal. */
    boolean hasWrittenDown(List<String> jobs) throws IOException {
        String journal = Files.readString(directory.resolve("journal/completions.journal"), ISO_8859_1);
        return jobs.stream().allMatch(journal::contains);
    }

    private List<String> lines(String file) throws IOException {
        Path path = directory.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String... args) {
        Path directory = Path.of(args[2]);
        WorkerBuilder builder = Worker.kafka(Map.of("bootstrap.servers", args[0]))
                .queues(args[1])
                .concurrency(20)
                .connectWithin(Duration.ofMinutes(2))
                .protection(protection -> protection.handlerTimeout(Duration.ofMinutes(5)))
                .handle("slow", context -> {
                    String job = context.job().id().toString();
                    say(directory.resolve("begun"), job);
                    while (!Files.exists(directory.resolve("go"))) TimeUnit.MILLISECONDS.sleep(20);
                    say(directory.resolve("ended"), job);
                    return null;
                });
        if (Boolean.parseBoolean(args[3])) builder.journal(directory.resolve("journal"));
        builder.start().closed().join();
    }

    private static synchronized void say(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", UTF_8, CREATE, APPEND);
    }
}
