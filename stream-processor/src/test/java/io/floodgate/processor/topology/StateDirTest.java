package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class StateDirTest {
    @TempDir
    Path root;

    private final Logger logger = (Logger) LoggerFactory.getLogger(StateDir.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
        logger.addAppender(logged);
        logged.start();
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    private StateDir dir() {
        return new StateDir(root, "app");
    }

    private void lives(String cluster) {
        try (StateDir dir = dir()) {
            dir.stores(cluster);
        }
    }

    private Path store() throws IOException {
        Path file = root.resolve("stores/000001.sst");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "jobs");
    }

    private List<String> warnings() {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void keeps_the_stores_however_the_process_ended() throws IOException {
        lives("here");
        Path store = store();
        lives("here");
        assertThat(store).exists();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_second_process_is_rejected_and_touches_nothing() throws IOException {
        try (StateDir first = dir()) {
            first.stores("here");
            Path store = store();
            assertThatThrownBy(this::dir)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Another process is using the data in " + root);
            assertThat(store).exists();
        }
        lives("here");
    }

    @Test
    void what_the_first_version_kept_is_deleted() throws IOException {
        Path old = root.resolve("app/0_3/rocksdb/jobs/000001.sst");
        Files.createDirectories(old.getParent());
        Files.writeString(old, "jobs");
        lives("here");
        assertThat(root.resolve("app/0_3")).exists();
        assertThat(root.resolve("app/0_3/rocksdb")).doesNotExist();
    }

    @Test
    void deletes_the_stores_of_another_cluster_and_says_so_once() throws IOException {
        lives("there");
        String node = nodeId();
        Path store = store();
        Path others = Files.writeString(root.resolve("kafka-streams-process-metadata"), "{}");
        lives("here");
        assertThat(store).doesNotExist();
        assertThat(others).exists();
        assertThat(nodeId()).isEqualTo(node);
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("Deleted the stores in " + root, "cluster there", "cluster here");
        store = store();
        lives("here");
        assertThat(store).exists();
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void takes_stores_that_do_not_say_whose_they_are_for_this_clusters() throws IOException {
        lives("here");
        Files.delete(root.resolve("cluster-id"));
        Path store = store();
        lives("here");
        assertThat(store).exists();
        assertThat(warnings()).isEmpty();
        lives("there");
        assertThat(store).doesNotExist();
    }

    @Test
    void a_node_keeps_its_name() {
        assertThat(nodeId()).startsWith("node-").isEqualTo(nodeId());
    }

    private String nodeId() {
        try (StateDir dir = dir()) {
            return dir.nodeId();
        }
    }
}
