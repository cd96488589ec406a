package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

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

    /** A life that ends in good order. */
    private void lives(String cluster) {
        dir().begin(cluster);
        dir().end();
    }

    private Path store() throws IOException {
        Path file = root.resolve("app/0_3/rocksdb/jobs/000001.sst");
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
    void keeps_stores_that_were_closed() throws IOException {
        lives("here");
        Path store = store();
        lives("here");
        assertThat(store).exists();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void deletes_stores_that_were_not_closed() throws IOException {
        dir().begin("here");
        Path store = store();
        dir().begin("here");
        assertThat(store).doesNotExist();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void deletes_the_stores_of_another_cluster_and_says_so_once() throws IOException {
        lives("there");
        String node = dir().nodeId();
        store();
        Path others = Files.writeString(root.resolve("app/kafka-streams-process-metadata"), "{}");
        lives("here");
        assertThat(root.resolve("app/0_3")).doesNotExist();
        assertThat(others).exists();
        assertThat(dir().nodeId()).isEqualTo(node);
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("Deleted the stores in " + root, "cluster there", "cluster here");
        Path store = store();
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
        assertThat(dir().nodeId()).startsWith("node-").isEqualTo(dir().nodeId());
    }
}
