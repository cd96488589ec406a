package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void is_for_the_user_of_this_process_only() throws IOException {
        Path own = directory.resolve("a/b");
        OwnDirectory.create(own);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
    }

    @Test
    void that_is_there_stays_as_it_is() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        OwnDirectory.create(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void is_not_made_of_a_file() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThatThrownBy(() -> OwnDirectory.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    }
}
