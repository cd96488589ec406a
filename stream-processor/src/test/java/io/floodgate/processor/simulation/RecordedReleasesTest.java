package io.floodgate.processor.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What earlier releases have answered, this one answers alike: between a kill and an upgrade lie records whose replies and
 * messages have left, and whose effects have not been committed. {@code -Drecording.write=true} records this release again;
 * after it is out, its file stays as it is.
 */
class RecordedReleasesTest {
    private static final String THIS = "release-1.gz";

    @Test
    void this_release_can_be_recorded() {
        if (!Boolean.getBoolean("recording.write")) return;
        List<Recording> recordings = new ArrayList<>();
        for (long seed = 0; seed < 4; seed++) recordings.addAll(Recording.ofThisRelease(seed, 150));
        RecordedLog.write(THIS, recordings);
    }

    @ParameterizedTest
    @ValueSource(strings = THIS)
    void every_reply_and_message_is_what_it_was(String release) {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            for (RecordedLog recorded : RecordedLog.read(release)) {
                PartitionEngine engine =
                        new PartitionEngine(recorded.log(), recorded.routing(), Instance.Snapshot.EMPTY.copy());
                for (RecordedLog.Step step : recorded.steps())
                    assertThat(RecordedLog.effects(engine.apply(step.record())))
                            .as(
                                    "log %s, offset %d, '%s'",
                                    recorded.log(),
                                    step.record().offset(),
                                    step.record().op())
                            .isEqualTo(step.effects());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = THIS)
    void what_was_stored_opens_and_goes_on(String release) {
        for (RecordedLog recorded : RecordedLog.read(release)) {
            PartitionEngine engine = new PartitionEngine(recorded.log(), recorded.routing(), recorded.stores());
            assertThat(engine.audit()).isEmpty();
            PartitionRecord last = recorded.steps().getLast().record();
            Progressing log = new Progressing(engine, last);
            // Of clocks that were set, which an operator has seen by now.
            for (Alarm alarm : engine.alarms()) log.receives(new Acknowledge(alarm.code()));
            if (engine.rules() < LogicVersion.NEWEST) log.receives(new Upgrade(LogicVersion.NEWEST));
            for (int day = 0; day < 40; day++) log.passes(Duration.ofDays(1));
            assertThat(engine.alarms()).isEmpty();
            assertThat(engine.audit()).isEmpty();
            assertThat(new PartitionEngine(recorded.log(), recorded.routing(), recorded.stores()).nextTimer())
                    .isEqualTo(engine.nextTimer());
        }
    }

    /** A partition that goes on behind the last record of a recording, as if Kafka had purged all before it. */
    private static final class Progressing {
        private final PartitionEngine engine;
        private long offset;
        private Instant now;

        private Progressing(PartitionEngine engine, PartitionRecord last) {
            this.engine = engine;
            offset = last.offset();
            now = last.appended();
        }

        private void receives(Command command) {
            CommandCodec.Encoded encoded = CommandCodec.encode(command);
            Outcome outcome =
                    engine.apply(new PartitionRecord(++offset, now, encoded.op(), encoded.value(), null, null, 0));
            outcome.events()
                    .forEach(event -> assertThat(new String(event.envelope(), java.nio.charset.StandardCharsets.UTF_8))
                            .doesNotContain("rule_failed"));
        }

        private void passes(Duration time) {
            Instant end = now.plus(time);
            for (Instant next = engine.nextTimer(); next != null && !next.isAfter(end); next = engine.nextTimer()) {
                if (next.isAfter(now)) now = next;
                receives(new Tick());
            }
            now = end;
        }
    }
}
