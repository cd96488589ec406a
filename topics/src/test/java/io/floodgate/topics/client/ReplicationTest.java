package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReplicationTest {
    private static final Replication THREE = new Replication((short) 3);

    @Test
    void one_broker_may_fail_and_takes_nothing_with_it() {
        assertThat(THREE.with(Map.of("a", "b"))).isEqualTo(Map.of("a", "b", "min.insync.replicas", "2"));
        assertThat(new Replication((short) 2).with(Map.of())).containsEntry("min.insync.replicas", "1");
        assertThat(Replication.NONE.with(Map.of())).containsEntry("min.insync.replicas", "1");
    }

    @Test
    void topics_that_are_kept_so_are_fine() {
        assertThat(THREE.complaint(Map.of("a", 3, "b", 2, "c", 1), Map.of("a", 2, "b", 1, "c", 1)))
                .isEmpty();
        assertThat(THREE.complaint(Map.of("a", 3), Map.of("a", 3))).isEmpty();
    }

    /** As brokers with the defaults of Kafka make them. */
    @Test
    void topics_that_lose_what_they_acknowledged_are_rejected_unless_that_is_accepted() {
        Map<String, Integer> copies = Map.of("a", 3, "b", 3);
        Map<String, Integer> insync = Map.of("a", 1, "b", 2);
        assertThatThrownBy(() -> THREE.complaint(copies, insync))
                .hasMessageContaining("a (1 of 3)")
                .hasMessageContaining("--allow-unsafe-replication")
                .hasMessageNotContaining("b (");
        assertThat(new Replication((short) 3, true).complaint(copies, insync))
                .hasValueSatisfying(warning -> assertThat(warning).contains("a (1 of 3)"));
    }

    @Test
    void a_topic_that_takes_nothing_is_rejected_in_any_case() {
        assertThatThrownBy(() -> new Replication((short) 1, true).complaint(Map.of("a", 1), Map.of("a", 2)))
                .hasMessageContaining("Nothing can be written to topic a");
    }
}
