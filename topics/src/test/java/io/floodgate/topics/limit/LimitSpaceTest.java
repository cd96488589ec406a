package io.floodgate.topics.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Routing;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LimitSpaceTest {
    private static List<String> many(int last) {
        return IntStream.range(0, 50)
                .mapToObj(i -> "a-queue-with-a-name-%d".formatted(i == 49 ? last : i))
                .toList();
    }

    @Test
    void there_is_none_for_a_client_that_may_use_everything() {
        assertThat(LimitSpace.of(null, null)).isNull();
    }

    @Test
    void has_the_queues_in_order_and_the_tenant() {
        assertThat(LimitSpace.of(List.of("b.*", "a", "a"), null)).isEqualTo("a,b.*");
        assertThat(LimitSpace.of(null, "acme")).isEqualTo("tenant:acme");
        assertThat(LimitSpace.of(List.of("a"), "acme")).isEqualTo("tenant:acme,a");
    }

    @Test
    void of_many_queues_is_short_and_different() {
        String one = String.valueOf(LimitSpace.of(many(50), null));
        String other = String.valueOf(LimitSpace.of(many(51), null));
        assertThat(one).hasSizeLessThanOrEqualTo(LimitSpace.CHARS).isNotEqualTo(other);
        assertThat(RateLimit.isName("k@" + one)).isTrue();
    }

    @Test
    void is_part_of_a_name_and_of_no_key() {
        assertThat(RateLimit.isKey("k@a")).isFalse();
        assertThat(RateLimit.isName("k@tenant:acme,a.*")).isTrue();
        assertThat(RateLimit.isName("k@a@b")).isFalse();
        assertThat(RateLimit.isName("k@a b")).isFalse();
    }

    @Test
    void the_keys_of_a_queue_lead_to_the_log_of_the_queue_in_whatever_space() {
        Routing routing = new Routing(8);
        for (String key : List.of("queue:mail", "queue:mail@tenant:acme"))
            assertThat(routing.ofLimit(key)).isEqualTo(routing.ofQueue("mail"));
        assertThat(RateLimit.queueOf("mail")).isNull();
    }
}
