package io.floodgate.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that was formatted, and that no broker has used yet. */
final class StorageTest {
    @TempDir
    Path data;

    @BeforeEach
    void format() {
        Storage.open(data).close();
    }

    @Test
    void has_no_broker_that_was_killed() {
        assertThat(FormerLife.wasKilled(data)).isFalse();
    }

    @Test
    void is_formatted_again_if_the_power_went_before_the_last_file_was_moved() throws Exception {
        var last = data.resolve("meta.properties");
        Files.delete(last);

        Storage.open(data).close();

        assertThat(last).isNotEmptyFile();
        assertThat(data.resolve("unfinished")).doesNotExist();
    }

    @Test
    void what_is_left_of_formatting_if_the_power_went_at_its_end_is_deleted() throws Exception {
        var left = Files.createDirectory(data.resolve("unfinished"));

        Storage.open(data).close();

        assertThat(left).doesNotExist();
    }

    @Test
    void a_file_that_was_not_written_to_the_disk_before_is_written_again() throws Exception {
        var file = data.resolve("meta.properties");
        byte[] content = Files.readAllBytes(file);
        var before = FileTime.fromMillis(0);
        Files.setLastModifiedTime(file, before);

        Storage.writeFileToDisk(file, failing(1));

        assertThat(Files.getLastModifiedTime(file)).isNotEqualTo(before);
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void a_file_that_the_disk_does_not_take_is_reported() {
        assertThatThrownBy(() -> Storage.writeFileToDisk(data.resolve("meta.properties"), failing(2)))
                .hasMessage("No space left on device");
    }

    private static Storage.Sync failing(int times) {
        var calls = new AtomicInteger();
        return channel -> {
            if (calls.incrementAndGet() <= times) throw new IOException("No space left on device");
            channel.force(true);
        };
    }
}
