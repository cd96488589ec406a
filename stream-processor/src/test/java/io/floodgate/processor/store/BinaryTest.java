package io.floodgate.processor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 300, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void numbers_are_read_as_they_were_written(long number) {
        byte[] bytes =
                new BinaryOut().number(number).signed(number).fixed(number).toBytes();
        BinaryIn in = new BinaryIn(bytes);
        assertThat(in.number()).isEqualTo(number);
        assertThat(in.signed()).isEqualTo(number);
        assertThat(in.fixed()).isEqualTo(number);
        assertThat(in.hasMore()).isFalse();
    }

    @Test
    void small_numbers_are_short() {
        assertThat(new BinaryOut().number(127).toBytes()).hasSize(1);
        assertThat(new BinaryOut().number(128).toBytes()).hasSize(2);
        assertThat(new BinaryOut().signed(-64).toBytes()).hasSize(1);
    }

    @Test
    void the_version_before_and_the_next_one_are_read() {
        BinaryIn in = new BinaryIn(new BinaryOut().u8(1).u8(2).u8(3).toBytes());
        assertThat(in.version(2, () -> "queue mail")).isEqualTo(1);
        assertThat(in.version(2, () -> "queue mail")).isEqualTo(2);
        assertThat(in.version(2, () -> "queue mail")).isEqualTo(3);
    }

    @Test
    void any_other_version_is_rejected_by_name() {
        BinaryIn in = new BinaryIn(new BinaryOut().u8(1).u8(5).u8(0).toBytes());
        for (int version : new int[] {1, 5, 0})
            assertThatThrownBy(() -> in.version(3, () -> "queue mail"))
                    .hasMessage("queue mail is stored in version %d, which this release cannot read", version);
    }

    @Test
    void everything_else_is_read_as_it_was_written() {
        Instant early = Instant.parse("0001-01-01T00:00:00Z");
        byte[] bytes = new BinaryOut()
                .flag(true)
                .real(-0.5)
                .time(early)
                .text("größe")
                .blob(new byte[1000])
                .optional((Instant) null)
                .optional(early)
                .optional((String) null)
                .optional("")
                .optional((Long) null)
                .optional(0L)
                .u8(255)
                .toBytes();
        BinaryIn in = new BinaryIn(bytes);
        assertThat(in.flag()).isTrue();
        assertThat(in.real()).isEqualTo(-0.5);
        assertThat(in.time()).isEqualTo(early);
        assertThat(in.text()).isEqualTo("größe");
        assertThat(in.blob()).hasSize(1000);
        assertThat(in.optionalTime()).isNull();
        assertThat(in.optionalTime()).isEqualTo(early);
        assertThat(in.optionalText()).isNull();
        assertThat(in.optionalText()).isEmpty();
        assertThat(in.optionalNumber()).isNull();
        assertThat(in.optionalNumber()).isZero();
        assertThat(in.u8()).isEqualTo(255);
        assertThat(in.hasMore()).isFalse();
    }
}
