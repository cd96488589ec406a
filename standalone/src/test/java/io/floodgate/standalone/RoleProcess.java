package io.floodgate.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A role in a process of its own, with the command line that its users write, so that it can be killed. */
final class RoleProcess implements AutoCloseable {
    private final Process process;

    private RoleProcess(Process process) {
        this.process = process;
    }

    /** @param log what it prints */
    static RoleProcess start(Path log, String... arguments) throws IOException {
        return start(
                log,
                List.of("-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile")),
                arguments);
    }

    /** @param log what it prints, as its users see it */
    static RoleProcess startAsInstalled(Path log, String... arguments) throws IOException {
        return start(log, List.of(), arguments);
    }

    private static RoleProcess start(Path log, List<String> options, String... arguments) throws IOException {
        Files.createDirectories(log.getParent());
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(Floodgate.class.getName());
        command.addAll(List.of(arguments));
        return new RoleProcess(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Keeps it from doing anything, with its connections open, until {@link #resume()}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (code != 0) throw new IOException("kill -%s %d: exit code %d".formatted(name, process.pid(), code));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
