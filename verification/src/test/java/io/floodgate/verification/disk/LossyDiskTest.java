package io.floodgate.verification.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.apache.kafka.common.utils.internals.ByteBufferUnmapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the disk for tests loses what a real one may lose, and nothing else. */
@Tag("server")
final class LossyDiskTest {
    private static final int PAGE = 4_096;

    @TempDir
    Path directory;

    private LossyDisk disk;

    @BeforeEach
    void mount() throws Exception {
        Optional<String> missing = LossyDisk.missing();
        Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        disk = LossyDisk.mount(directory.resolve("mounted"));
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk != null) disk.close();
    }

    @Test
    void what_was_not_synced_is_lost() throws Exception {
        write("synced", "1234", CREATE, WRITE);
        sync(path("synced"));
        write("synced", "56", APPEND);
        write("new", "1", CREATE, WRITE);
        disk.cut(Cut.NONE, 1);
        assertThat(path("synced")).hasContent("1234");
        assertThat(path("new")).doesNotExist();
    }

    @Test
    void overwritten_truncated_and_removed_files_are_as_they_were() throws Exception {
        for (String name : new String[] {"overwritten", "truncated", "removed", "renamed"})
            write(name, name, CREATE, WRITE);
        disk.sync();
        write("overwritten", "xx", WRITE);
        try (FileChannel file = FileChannel.open(path("truncated"), WRITE)) {
            file.truncate(1);
        }
        Files.delete(path("removed"));
        Files.move(path("renamed"), path("overwritten"), StandardCopyOption.ATOMIC_MOVE);
        disk.cut(Cut.NONE, 1);
        for (String name : new String[] {"overwritten", "truncated", "removed", "renamed"})
            assertThat(path(name)).hasContent(name);
    }

    @Test
    void a_new_name_is_durable_with_its_file_and_a_changed_one_with_its_directory() throws Exception {
        Files.createDirectory(path("directory"));
        write("directory/file", "old", CREATE, WRITE);
        sync(path("directory/file"));
        write("next", "new", CREATE, WRITE);
        sync(path("next"));
        disk.cut(Cut.NONE, 1);
        assertThat(path("directory/file")).hasContent("old");
        Files.move(path("next"), path("directory/file"), StandardCopyOption.ATOMIC_MOVE);
        sync(path("directory"));
        disk.cut(Cut.NONE, 1);
        assertThat(path("directory/file")).hasContent("new");
        assertThat(path("next")).doesNotExist();
    }

    @Test
    void each_write_of_a_file_that_was_opened_for_it_is_durable() throws Exception {
        write("file", "1234", CREATE, WRITE, DSYNC);
        disk.cut(Cut.NONE, 1);
        assertThat(path("file")).hasContent("1234");
    }

    @Test
    void of_mapped_memory_what_was_forced_stays() throws Exception {
        try (FileChannel file = FileChannel.open(path("mapped"), CREATE, READ, WRITE)) {
            MappedByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, 2 * PAGE);
            memory.put(0, "forced".getBytes(US_ASCII));
            memory.force();
            memory.put(0, "FORCED".getBytes(US_ASCII));
            memory.put(PAGE, (byte) 1);
            ByteBufferUnmapper.unmap("mapped", memory);
        }
        disk.cut(Cut.NONE, 1);
        byte[] found = Files.readAllBytes(path("mapped"));
        assertThat(found).hasSize(2 * PAGE).startsWith("forced".getBytes(US_ASCII));
        assertThat(found[PAGE]).isZero();
    }

    @Test
    void of_writes_the_first_ones_survive_and_the_last_one_is_torn() throws Exception {
        StringBuilder written = new StringBuilder();
        write("file", "", CREATE, WRITE);
        disk.sync();
        for (int i = 0; i < 50; i++) {
            String line = "%03d ".formatted(i).repeat(10);
            written.append(line);
            write("file", line, APPEND);
        }
        disk.cut(Cut.PREFIX, 3);
        String found = Files.readString(path("file"));
        assertThat(written.toString()).startsWith(found);
        assertThat(found.length() % 40).isPositive();
    }

    @Test
    void of_pages_each_survives_or_is_as_it_was() throws Exception {
        write("file", "o".repeat(64 * PAGE), CREATE, WRITE);
        disk.sync();
        write("file", "n".repeat(64 * PAGE), WRITE);
        disk.cut(Cut.SUBSET, 3);
        String found = Files.readString(path("file"));
        assertThat(found).hasSize(64 * PAGE).contains("o".repeat(PAGE), "n".repeat(PAGE));
        for (int page = 0; page < 64; page++)
            assertThat(found.substring(page * PAGE, (page + 1) * PAGE)).isIn("o".repeat(PAGE), "n".repeat(PAGE));
    }

    @Test
    void it_fails_and_reads_wrong_bits_until_it_is_mended() throws Exception {
        write("file", "1", CREATE, WRITE);
        disk.fail("sync", "EIO", "fi*");
        assertThatThrownBy(() -> sync(path("file"))).isInstanceOf(IOException.class);
        disk.fail("write", "ENOSPC", "*");
        assertThatThrownBy(() -> write("other", "1", CREATE, WRITE)).hasMessageContaining("No space left");
        disk.flip(0, 1, "file");
        assertThat(path("file")).hasContent("3");
        disk.mend();
        sync(path("file"));
        assertThat(path("file")).hasContent("1");
    }

    private Path path(String name) {
        return directory.resolve("mounted").resolve(name);
    }

    private void write(String name, String content, OpenOption... options) throws IOException {
        Files.write(path(name), content.getBytes(US_ASCII), options);
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, READ)) {
            file.force(true);
        }
    }
}
