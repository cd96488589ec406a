package io.floodgate.standalone.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.ProcessorConfig;
import io.floodgate.standalone.Eventually;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.PartitionSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others may do to a partition behind a processor's back: it says so, goes on, and does nothing twice. */
@Tag("server")
final class BrokenLogsTest {
    @TempDir
    Path data;

    @Test
    void commands_that_were_deleted_before_they_were_carried_out_are_an_alarm() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start();
            processing.enqueue(5);
            processing.awaitProcessed();
            processing.stop();
            processing.enqueue(5);
            processing
                    .admin
                    .deleteRecords(Map.of(Processing.COMMANDS, RecordsToDelete.beforeOffset(processing.end())))
                    .all()
                    .get();
            processing.start();
            processing.enqueue(1);
            assertThat(processing.inspect()).contains("\"commands_lost\"");
            processing.awaitProcessed();
            assertThat(processing.enqueued()).isEqualTo(6);
        }
    }

    @Test
    void a_group_that_has_forgotten_where_it_stood_does_nothing_twice() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start();
            processing.enqueue(5);
            processing.awaitProcessed();
            processing.stop();
            forgetOffsets(processing);
            processing.start();
            processing.enqueue(1);
            processing.awaitProcessed();
            assertThat(processing.enqueued()).isEqualTo(6);
            assertThat(processing.inspect()).contains("\"alarms\":[]");
        }
    }

    private static void forgetOffsets(Processing processing) throws Exception {
        // The group keeps its members until they have been silent for a while.
        Eventually.until("the group has no members", () -> {
            try {
                processing
                        .admin
                        .deleteConsumerGroups(List.of(Processing.GROUP))
                        .all()
                        .get();
                return true;
            } catch (ExecutionException notEmpty) {
                return false;
            }
        });
    }

    @Test
    void a_topic_that_was_deleted_and_made_again_is_an_alarm() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start();
            processing.enqueue(5);
            processing.awaitProcessed();
            processing.stop();
            processing.admin.deleteTopics(List.of(Topics.COMMANDS)).all().get();
            Eventually.until(
                    "the topic is gone",
                    () -> !processing.admin.listTopics().names().get().contains(Topics.COMMANDS));
            processing.start();
            processing.enqueue(2);
            assertThat(processing.inspect()).contains("\"topic_recreated\"");
            processing.awaitProcessed();
            assertThat(processing.enqueued()).isEqualTo(7);
        }
    }

    @Test
    void a_log_that_believes_its_clients_clocks_and_deletes_by_time_is_mended() throws Exception {
        try (var processing = new Processing(data)) {
            processing.start();
            processing.stop();
            var topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS);
            var wrong = Map.of("message.timestamp.type", "CreateTime", "retention.ms", "60000");
            processing
                    .admin
                    .incrementalAlterConfigs(Map.of(
                            topic,
                            wrong.entrySet().stream()
                                    .map(e -> new AlterConfigOp(
                                            new ConfigEntry(e.getKey(), e.getValue()), AlterConfigOp.OpType.SET))
                                    .toList()))
                    .all()
                    .get();
            processing.start();
            Eventually.until("the topic is mended", () -> {
                var config = processing
                        .admin
                        .describeConfigs(Set.of(topic))
                        .all()
                        .get()
                        .get(topic);
                return config.get("message.timestamp.type").value().equals("LogAppendTime")
                        && config.get("retention.ms").value().equals("-1");
            });
        }
    }

    @Test
    void a_partition_receives_version_and_settings_once_it_is_opened() throws Exception {
        try (var processing = new Processing(data)) {
            var settings = new PartitionSettings(
                    Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3), Duration.ofDays(4), 123_456_789);
            processing.start(new ProcessorConfig.Logs(settings, 10, 0));
            Eventually.until("the log knows", () -> {
                String state = processing.inspect();
                return state.contains("\"rules\":1") && state.contains("\"max_memory_bytes\":123456789");
            });
            long end = processing.end();
            processing.awaitProcessed();
            processing.stop();
            processing.start(new ProcessorConfig.Logs(settings, 10, 0));
            assertThat(processing.inspect()).contains("\"rules\":1");
            assertThat(processing.end()).isEqualTo(end + 1); // the question itself
            assertThat(processing.metrics())
                    .contains("floodgate_processor_running 1.0")
                    .contains("floodgate_processor_partition_memory_bytes_max{log=\"ojs.commands/0\"} 1.23456789E8");
        }
    }
}
