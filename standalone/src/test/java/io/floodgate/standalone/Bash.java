package io.floodgate.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A shell that goes on living between commands, as the one that a reader of the README pastes into. */
final class Bash implements AutoCloseable {
    private static final String DONE = "--- ended with ";

    private final Process process;
    private final OutputStream in;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();

    private Bash(Process process) {
        this.process = process;
        in = process.getOutputStream();
        Thread.ofPlatform().name("bash").daemon().start(() -> read(process.getInputStream()));
    }

    /** What commands printed, and the exit code of the last one that failed: 0 if none did. */
    record Outcome(int exitCode, List<String> printed) {}

    static Bash in(Path directory) throws IOException {
        return new Bash(new ProcessBuilder("bash", "--noprofile", "--norc", "-E")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start());
    }

    private void read(InputStream stream) {
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) out.add(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Outcome run(String commands, Duration patience) throws IOException, InterruptedException {
        String script = "failed=0; trap 'failed=$?' ERR\n%s\nprintf '\\n%%s%%s\\n' '%s' \"$failed\"\n"
                .formatted(commands, DONE);
        in.write(script.getBytes(StandardCharsets.UTF_8));
        in.flush();
        List<String> printed = new ArrayList<>();
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            String line = out.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null)
                throw new AssertionError(
                        "not done within %s, printed so far: %s%n%s".formatted(patience, printed, commands));
            if (line.startsWith(DONE)) return new Outcome(Integer.parseInt(line.substring(DONE.length())), printed);
            if (!line.isBlank()) printed.add(line);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
