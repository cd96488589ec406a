package io.floodgate.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {
    @TempDir
    Path directory;

    private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

    private void take(Path file) throws IOException {
        String text = Files.readString(file);
        taken.add(text);
        if (text.equals("nonsense")) throw new IOException("this cannot be used");
    }

    /** In one step: a file that is written in place is empty for a moment, and may be read then. */
    private static void replace(Path file, String text) throws IOException {
        Path written = Files.writeString(file.resolveSibling("written"), text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void takes_what_a_file_says_once_for_each_change_and_goes_on_after_one_that_it_cannot_take() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "first");
        try (FileWatch watch = FileWatch.start("words", List.of(file), () -> take(file))) {
            assertThat(watch).isNotNull();
            assertThat(taken.poll()).isEqualTo("first");
            replace(file, "nonsense");
            assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo("nonsense");
            replace(file, "third one");
            assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo("third one");
        }
        assertThat(taken).isEmpty();
    }

    @Test
    void sees_a_change_that_comes_while_it_begins() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "first");
        FileWatch.Taking changed = () -> {
            take(file);
            if (Files.readString(file).equals("first")) replace(file, "changed");
        };
        try (FileWatch watch = FileWatch.start("words", List.of(file), changed)) {
            assertThat(watch).isNotNull();
            assertThat(taken.poll()).isEqualTo("first");
            assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo("changed");
        }
    }

    @Test
    void notices_that_a_link_leads_elsewhere() throws Exception {
        Path first = Files.writeString(directory.resolve("first"), "same");
        Path second = Files.writeString(directory.resolve("second"), "same");
        Files.setLastModifiedTime(second, Files.getLastModifiedTime(first));
        Path link = Files.createSymbolicLink(directory.resolve("link"), first);
        try (FileWatch watch = FileWatch.start("words", List.of(link), () -> take(link))) {
            assertThat(watch).isNotNull();
            assertThat(taken.poll()).isEqualTo("same");
            Files.delete(link);
            Files.createSymbolicLink(link, second);
            assertThat(taken.poll(60, TimeUnit.SECONDS)).isEqualTo("same");
        }
    }
}
