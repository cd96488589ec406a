package io.floodgate.verification.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A directory on a disk of its own, which loses what was not synced when its power is cut, and goes wrong on request. The
 * disk is gone when it is closed, and when this process ends, however that comes about.
 */
public final class LossyDisk implements AutoCloseable {
    private final Path mountpoint;
    private final Path content;
    private Process process;
    private BufferedReader answers;

    private LossyDisk(Path mountpoint, Path content, Process process) {
        this.mountpoint = mountpoint;
        this.content = content;
        this.process = process;
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The reason why there can be none on this machine, and what to do; empty if there can. */
    public static Optional<String> missing() {
        return LossyProgram.missing();
    }

    /** What is in the directory beside it, which is named like it with {@code -disk}, is on the disk already. */
    public static LossyDisk mount(Path mountpoint) throws IOException, InterruptedException {
        Path content = mountpoint.resolveSibling(mountpoint.getFileName() + "-disk");
        Files.createDirectories(content);
        Files.createDirectories(mountpoint);
        LossyDisk disk = new LossyDisk(mountpoint, content, start(content, mountpoint));
        disk.expect("mounted");
        return disk;
    }

    private static Process start(Path content, Path mountpoint) throws IOException, InterruptedException {
        return new ProcessBuilder(LossyProgram.compiled().toString(), content.toString(), mountpoint.toString())
                .redirectError(Redirect.INHERIT)
                .start();
    }

    /** Makes durable all that was written. */
    public void sync() throws IOException {
        command("sync");
    }

    /** From now on, a kind of operation ({@code read}, {@code write}, {@code sync}) fails for paths that match. */
    public void fail(String operation, String error, String pattern) throws IOException {
        command("fail %s %s %s".formatted(operation, error, pattern));
    }

    /** From now on, syncs are acknowledged and not done. */
    public void lie() throws IOException {
        command("fail sync LIE *");
    }

    /** From now on, a kind of operation takes so much longer for paths that match. */
    public void slow(String operation, int millis, String pattern) throws IOException {
        command("slow %s %d %s".formatted(operation, millis, pattern));
    }

    /** From now on, a bit of the files that match is read as what it is not. */
    public void flip(long at, int bit, String pattern) throws IOException {
        command("flip %d %d %s".formatted(at, bit, pattern));
    }

    /** Ends all that goes wrong. */
    public void mend() throws IOException {
        command("mend");
    }

    /** Cuts the power and gives it back. No process may have a file open. Returns what was lost, in words. */
    public String cut(Cut cut, long seed) throws IOException, InterruptedException {
        write("cut %s %d".formatted(cut, seed));
        String lost = answers.readLine();
        if (lost == null || !lost.startsWith("cut: "))
            throw new IOException("%s is still in use".formatted(mountpoint));
        process.waitFor();
        process = start(content, mountpoint);
        answers = process.inputReader(StandardCharsets.UTF_8);
        expect("mounted");
        return lost.substring("cut: ".length());
    }

    private void command(String line) throws IOException {
        write(line);
        expect("done");
    }

    private void write(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    private void expect(String wanted) throws IOException {
        String answer = answers.readLine();
        if (!wanted.equals(answer)) throw new IOException("the disk at %s answered %s".formatted(mountpoint, answer));
    }

    /** Loses nothing. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
