package io.floodgate.verification.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One process of an installation, that can be killed, stopped in its tracks, and started again. */
public final class Child implements AutoCloseable {
    /** Set by the launcher: the flags of the Java that it would start a role with. */
    private static final String OPTIONS = "floodgate.server-options";

    public static final String SMALL_HEAP = "768m";

    private static final List<String> INHERITED =
            List.of("-XX:+Use", "-XX:+Exit", "-XX:Tiered", "-Xshare", "--enable-native", "--sun-misc");

    private final String name;
    private List<String> arguments;
    private final String heap;
    private List<String> wrapper = List.of();
    private Class<?> program = ChildMain.class;
    private String classPath = System.getProperty("java.class.path");
    private final Path log;
    private @Nullable SetClock clock;
    private @Nullable Process process;

    /**
     * @param heap the most it may take, as {@code -Xmx} has it
     * @param arguments of the command line, beginning with the role
     */
    public Child(String name, List<String> arguments, Path directory, String heap) {
        this.name = name;
        this.heap = heap;
        this.arguments = List.copyOf(arguments);
        log = directory.resolve(name + ".log");
    }

    public String name() {
        return name;
    }

    public Path log() {
        return log;
    }

    /** Something else than Floodgate, with a main method; it must end when its parent does. */
    public void run(Class<?> main) {
        program = main;
    }

    /** Takes the jars of Kafka that are in a directory for those on our class path, from its next start on. */
    void useKafka(Path directory) throws IOException {
        List<String> entries = new ArrayList<>(List.of(classPath.split(File.pathSeparator, -1)));
        entries.removeIf(entry -> isOfKafka(Path.of(entry)));
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(Child::isOfKafka).map(Path::toString).forEach(entries::add);
        }
        classPath = String.join(File.pathSeparator, entries);
    }

    private static boolean isOfKafka(Path file) {
        return file.getFileName().toString().matches("kafka[-_].*\\.jar");
    }

    /** What the command line stands behind, such as {@code unshare}; it must exec what follows it. */
    public void wrapIn(List<String> command) {
        wrapper = List.copyOf(command);
    }

    /** From its next start on. */
    public void giveClock(Path library) throws IOException {
        clock = SetClock.of(library, log.resolveSibling(name + ".clock").toAbsolutePath());
        wrapper = clock.wrapper();
    }

    /** How far its clock is ahead of the right time. */
    public void setClock(Duration ahead) throws IOException {
        if (clock == null) throw new IllegalStateException(name + " has no clock of its own");
        clock.set(ahead);
    }

    /** From its next start on, one argument for another. */
    public void replace(String argument, String by) {
        arguments = arguments.stream()
                .map(each -> each.equals(argument) ? by : each)
                .toList();
    }

    /** From its next start on, one argument more. */
    public void add(String argument) {
        arguments = Stream.concat(arguments.stream(), Stream.of(argument)).toList();
    }

    public long pid() {
        return running().pid();
    }

    /** What it returned when it ended; -1 while it has not. */
    public int exitCode() {
        return isAlive() ? -1 : running().exitValue();
    }

    public void start() throws IOException {
        Files.createDirectories(log.getParent());
        process = new ProcessBuilder(commandLine())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
    }

    private List<String> commandLine() {
        List<String> line = new ArrayList<>(wrapper);
        line.add(ProcessHandle.current().info().command().orElse("java"));
        String options = System.getProperty(OPTIONS);
        if (options != null) line.addAll(List.of(options.strip().split("\\s+")));
        else
            for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
                if (INHERITED.stream().anyMatch(flag::startsWith)) line.add(flag);
        String logging = System.getProperty("logback.configurationFile");
        if (logging != null) line.add("-Dlogback.configurationFile=" + logging);
        line.add("-Xmx" + heap);
        line.add("-cp");
        line.add(classPath);
        line.add(program.getName());
        line.addAll(arguments);
        return line;
    }

    /** The CPU time it has used since it was started: distinguishes a slow start from a busy machine. */
    public Duration processorTime() {
        return running().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** As {@code kill -9} does. */
    public void kill() throws InterruptedException {
        running().destroyForcibly().waitFor();
    }

    /** As {@code kill} does, and as Ctrl-C. Returns whether the process ended in time; else it is killed. */
    public boolean stop(Duration patience) throws InterruptedException {
        // Process.destroy would close our end of the pipe as well, and the child would take it for our death.
        running().toHandle().destroy();
        boolean ended = running().waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) kill();
        return ended;
    }

    /** Stops it in its tracks for a while, and returns who waits for it. It goes on also when we have died meanwhile. */
    public Process freeze(Duration length) throws IOException {
        String script = "kill -STOP %1$d; sleep %2$d; kill -CONT %1$d"
                .formatted(running().pid(), length.toSeconds());
        return new ProcessBuilder("sh", "-c", script).start();
    }

    private Process running() {
        Process now = process;
        if (now == null) throw new IllegalStateException(name + " was not started");
        return now;
    }

    @Override
    public void close() {
        if (process != null) process.destroyForcibly();
    }
}
