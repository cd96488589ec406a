package io.floodgate.gateway.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.client.RejectedException;
import org.junit.jupiter.api.Test;

class TopicRoomTest {
    private final TopicRoom room = new TopicRoom(10, 4);

    @Test
    void is_for_so_many_partitions() {
        assertThat(room.left()).isEqualTo(2);
        room.made();
        assertThatCode(room::mustHaveSome).doesNotThrowAnyException();
        room.made();
        assertThat(room.left()).isZero();
        assertThatThrownBy(room::mustHaveSome)
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("--max-queue-topics");
    }

    @Test
    void queues_that_come_with_their_first_job_leave_half_of_it() {
        TopicRoom large = new TopicRoom(40, 4);
        assertThat(large.leftForImplicit()).isEqualTo(5);
        large.seen(4);
        assertThat(large.leftForImplicit()).isEqualTo(1);
        large.seen(8);
        assertThat(large.leftForImplicit()).isZero();
        assertThat(large.left()).isEqualTo(2);
    }

    @Test
    void counts_the_topics_that_are_there_a_client_that_made_them() {
        room.seen(2);
        assertThat(room.left()).isZero();
        room.seen(1);
        assertThat(room.left()).isEqualTo(1);
    }
}
