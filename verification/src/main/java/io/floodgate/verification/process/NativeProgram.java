package io.floodgate.verification.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A program in C, compiled at its first use.
 *
 * @param owner the class beside whose resources the sources are; the first one is called like the program
 * @param options of the compiler
 */
public record NativeProgram(Class<?> owner, List<String> sources, List<String> options) {
    public NativeProgram {
        sources = List.copyOf(sources);
        options = List.copyOf(options);
    }

    /** Whether there is a command of this name. */
    public static boolean isMissing(String command) {
        for (String directory : System.getenv("PATH").split(":", -1))
            if (Files.isExecutable(Path.of(directory, command))) return false;
        return true;
    }

    /** Where it is; it is compiled once for each version of its sources. */
    public Path compiled() throws IOException, InterruptedException {
        String name = sources.getFirst().replace(".c", "");
        Path directory = Path.of(System.getProperty("java.io.tmpdir"), "floodgate-%s-%08x".formatted(name, version()));
        Path program = directory.resolve(name);
        if (Files.exists(program)) return program;
        Files.createDirectories(directory);
        for (String source : sources) Files.write(directory.resolve(source), bytes(source));
        Path started = directory.resolve(name + "-" + ProcessHandle.current().pid());
        List<String> line = new ArrayList<>(List.of("gcc", "-O1", "-o", started.toString()));
        sources.stream().filter(source -> source.endsWith(".c")).forEach(line::add);
        line.addAll(options);
        Process compiler = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) throw new IOException("gcc cannot compile %s: %s".formatted(directory, said));
        return Files.move(started, program, StandardCopyOption.ATOMIC_MOVE);
    }

    private long version() {
        CRC32 version = new CRC32();
        for (String source : sources) version.update(bytes(source));
        return version.getValue();
    }

    private byte[] bytes(String source) {
        try (InputStream resource = owner.getResourceAsStream(source)) {
            if (resource == null) throw new IllegalStateException("the resource %s is missing".formatted(source));
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
