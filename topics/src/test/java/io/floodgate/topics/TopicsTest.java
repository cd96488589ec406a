package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private static final Map<String, Topics.Spec> SPECS = specs(64);

    private static Map<String, Topics.Spec> specs(int partitions) {
        Map<String, Topics.Spec> specs = new TreeMap<>();
        Topics.all(partitions).forEach(spec -> specs.put(spec.name(), spec));
        return specs;
    }

    @Test
    void there_are_four() {
        assertThat(SPECS).containsOnlyKeys("ojs.commands", "ojs.events", "ojs.queue-status", "ojs.replies");
    }

    @Test
    void the_broker_says_what_time_it_is_in_a_log() {
        assertThat(SPECS.get(Topics.COMMANDS).config())
                .containsEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    }

    @Test
    void a_command_is_not_deleted_before_it_is_processed() {
        assertThat(SPECS.get(Topics.COMMANDS).config())
                .containsEntry(TopicConfig.RETENTION_MS_CONFIG, "-1")
                .containsEntry(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
    }

    @Test
    void what_clients_write_is_stored_as_large_as_it_is_read() {
        for (Topics.Spec spec :
                List.of(Topics.ingressSpec("email", 1), Topics.all(8).getFirst())) {
            assertThat(spec.required()).containsEntry(TopicConfig.COMPRESSION_TYPE_CONFIG, "uncompressed");
            assertThat(spec.compressed("producer").required())
                    .containsEntry(TopicConfig.COMPRESSION_TYPE_CONFIG, "producer");
        }
        assertThat(Topics.all(8).getLast().compressed("producer").config())
                .doesNotContainKey(TopicConfig.COMPRESSION_TYPE_CONFIG);
    }

    @Test
    void a_batch_in_a_queue_s_topic_is_small_enough_for_all_its_headers_to_fit_into_memory() {
        assertThat(Topics.ingressSpec("email", 1).required())
                .containsEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "4194304");
    }

    @Test
    void of_a_topic_that_is_there_only_what_all_rests_on_is_required() {
        assertThat(SPECS.get(Topics.COMMANDS).required())
                .containsOnlyKeys(
                        TopicConfig.CLEANUP_POLICY_CONFIG,
                        TopicConfig.COMPRESSION_TYPE_CONFIG,
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                        TopicConfig.RETENTION_BYTES_CONFIG,
                        TopicConfig.RETENTION_MS_CONFIG);
        assertThat(SPECS.get(Topics.EVENTS).required())
                .containsOnlyKeys(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    }

    @Test
    void a_batch_of_ten_thousand_jobs_fits_wherever_it_may_be_written() {
        for (String topic : new String[] {Topics.COMMANDS, Topics.REPLIES, Topics.EVENTS})
            assertThat(SPECS.get(topic).config())
                    .as(topic)
                    .containsEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "33554432");
    }

    @Test
    void the_status_of_queues_is_compacted_and_kept() {
        assertThat(SPECS.get(Topics.QUEUE_STATUS).config())
                .containsEntry(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)
                .doesNotContainKey(TopicConfig.RETENTION_MS_CONFIG);
    }

    @Test
    void every_setting_is_one_that_kafka_knows() {
        SPECS.values()
                .forEach(spec -> assertThat(spec.config().keySet())
                        .as(spec.name())
                        .isSubsetOf(
                                TopicConfig.CLEANUP_POLICY_CONFIG,
                                TopicConfig.COMPRESSION_TYPE_CONFIG,
                                TopicConfig.RETENTION_MS_CONFIG,
                                TopicConfig.RETENTION_BYTES_CONFIG,
                                TopicConfig.SEGMENT_BYTES_CONFIG,
                                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                                TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG));
    }

    @Test
    void a_small_cluster_has_no_more_reply_partitions_than_logs() {
        assertThat(specs(2).get(Topics.REPLIES).partitions()).isEqualTo(2);
        assertThat(SPECS.get(Topics.REPLIES).partitions()).isEqualTo(8);
    }
}
