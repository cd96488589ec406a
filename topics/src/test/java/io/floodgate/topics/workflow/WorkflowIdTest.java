package io.floodgate.topics.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowIdTest {
    private static WorkflowId id(String text) {
        return WorkflowId.parse(text).orElseThrow();
    }

    @Test
    void a_uuid_of_version_7_is_its_own_key_with_or_without_a_prefix() {
        String uuid = "01939a40-0000-7000-8000-000000000001";
        for (String text : new String[] {uuid, "wf_" + uuid}) {
            assertThat(id(text).key()).hasToString(uuid);
            assertThat(id(text).text()).isEqualTo(uuid);
        }
    }

    /** A key that changed would lead to another partition. */
    @Test
    void another_id_has_a_hash_as_its_key_which_never_changes_and_stands_behind_all_others() {
        WorkflowId id = id("wf_019539a4-chain-example");
        assertThat(id.text()).isEqualTo("wf_019539a4-chain-example");
        assertThat(id.key()).hasToString("0000ccc3-d008-73b9-8f51-af294ac642ee");
        assertThat(id.key())
                .isLessThan(id("019539a4-0000-7000-8000-000000000000").key());
        assertThat(id("Wf_019539a4-chain-example").key()).isNotEqualTo(id.key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "-a", "a b", "a/b", "a?b", "ä"})
    void what_does_not_fit_into_a_path_is_no_id(String text) {
        assertThat(WorkflowId.parse(text)).isEmpty();
    }

    @Test
    void an_id_has_at_most_128_characters() {
        assertThat(WorkflowId.parse("x".repeat(128))).isPresent();
        assertThat(WorkflowId.parse("x".repeat(129))).isEmpty();
    }
}
