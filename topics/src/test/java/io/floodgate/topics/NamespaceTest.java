package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NamespaceTest {
    private static final Namespace STAGING = new Namespace("staging");

    @Test
    void the_topics_of_queues_are_distinguished_from_all_others() {
        assertThat(Topics.ingress("email")).isEqualTo("ojs.queue.email").matches(Namespace.NONE.ingresses());
        assertThat(Namespace.NONE.queueOf("ojs.queue.email.eu")).isEqualTo("email.eu");
        for (String other : List.of(
                "ojs.commands",
                "ojs.queue-status",
                "ojs.queue.",
                "xojs.queue.email",
                "ojs.queues.email",
                "staging.ojs.queue.email")) {
            assertThat(other).doesNotMatch(Namespace.NONE.ingresses());
            assertThat(Namespace.NONE.isIngress(other)).isFalse();
        }
    }

    @Test
    void has_names_of_its_own_for_everything() {
        assertThat(STAGING.of(Topics.COMMANDS)).isEqualTo("staging.ojs.commands");
        assertThat(STAGING.ingress("email.eu"))
                .isEqualTo("staging.ojs.queue.email.eu")
                .matches(STAGING.ingresses());
        assertThat(STAGING.queueOf("staging.ojs.queue.email.eu")).isEqualTo("email.eu");
        assertThat(STAGING.application()).isEqualTo("staging.floodgate");
        assertThat(STAGING.ingressesGroup()).isEqualTo("staging.floodgate-ingress");
        assertThat("ojs.queue.email").doesNotMatch(STAGING.ingresses());
        assertThat("prestaging.ojs.queue.email").doesNotMatch(STAGING.ingresses());
    }

    /** Also for Kafka, to which dots and underscores are the same, and for rights on prefixes. */
    @Test
    void takes_no_name_under_which_two_installations_could_meet() {
        for (String wrong :
                List.of("ojs", "ojs.queue", "a_b", "a.b", "-a", "A", "floodgate", "floodgate-x", "x".repeat(41)))
            assertThatThrownBy(() -> new Namespace(wrong)).as(wrong).hasMessageContaining(wrong);
        assertThat(new Namespace("team-7").of("x")).isEqualTo("team-7.x");
    }
}
