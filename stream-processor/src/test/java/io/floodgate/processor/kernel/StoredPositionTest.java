package io.floodgate.processor.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StoredPositionTest {
    private static final Instant TIME = Instant.parse("2026-01-01T12:00:00.123Z");
    private static final PartitionSettings SETTINGS = new PartitionSettings(
            Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3), Duration.ofHours(4), 1L << 33);

    private final MemoryKeyValues entities = new MemoryKeyValues();
    private final PartitionPosition position = new PartitionPosition(entities, LogicVersion.NEWEST, new Undo());

    private PartitionPosition read(String golden) {
        entities.put(Keys.position(), Golden.read(golden));
        PartitionPosition read = new PartitionPosition(entities, LogicVersion.NEWEST, new Undo());
        read.load();
        return read;
    }

    @Test
    void all_there_is_to_say() {
        position.time().advance(TIME, null, false);
        position.nextNumber();
        position.nextNumber();
        position.take(4711, "abc");
        position.changeSettings(SETTINGS);
        position.raise(new Alarm(Alarm.COMMANDS_LOST, TIME, "Look at it."));
        position.write();
        Golden.matches("position-v1", Objects.requireNonNull(entities.get(Keys.position())));
        PartitionPosition read = read("position-v1");
        assertThat(read.time().now()).isEqualTo(TIME);
        assertThat(read.nextNumber()).isEqualTo(3);
        assertThat(read.offset()).isEqualTo(4711);
        assertThat(read.topicId()).isEqualTo("abc");
        assertThat(read.version()).isEqualTo(1);
        assertThat(read.settings()).isEqualTo(SETTINGS);
        assertThat(read.alarms()).isEqualTo(position.alarms());
    }

    @Test
    void has_the_version_of_the_rules() {
        PartitionPosition newer = new PartitionPosition(entities, LogicVersion.NEWEST + 1, new Undo());
        newer.changeRules(LogicVersion.NEWEST + 1);
        newer.write();
        position.load();
        assertThat(position.version()).isEqualTo(LogicVersion.NEWEST + 1);
    }

    @Test
    void a_version_of_the_far_future_is_not_guessed_at() {
        entities.put(Keys.position(), new byte[] {7});
        assertThatThrownBy(position::load).hasMessageContaining("version 7");
    }
}
