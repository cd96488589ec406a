package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class RightsTest {
    private static final Path PAGE = Path.of("../docs/reference/kafka-acls.md");

    @Test
    void the_documentation_has_this_table() throws IOException {
        assertThat(Files.readString(PAGE)).contains(Rights.table());
    }
}
