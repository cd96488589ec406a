package io.floodgate.processor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredFormTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    record Inner(String name, List<Integer> numbers) {}

    record Everything(
            int number,
            long large,
            boolean flag,
            Double real,
            String text,
            Instant at,
            Duration pause,
            JobId job,
            PartitionId partition,
            JobState state,
            ReplyTo replyTo,
            Identity by,
            Rejection rejection,
            Command command,
            SortedMap<String, Inner> inner,
            Set<JobState> states) {}

    private static final StoredForm<Everything> EVERYTHING = new StoredForm<>(Everything.class, 1, "everything");

    private static Everything everything(SortedMap<String, Inner> inner) {
        return new Everything(
                -7,
                Long.MAX_VALUE,
                true,
                -0.5,
                "größe",
                NOON,
                Duration.ofMillis(1500),
                new JobId(1, 2),
                new PartitionId(300),
                JobState.DISCARDED,
                new ReplyTo(3, "gateway-1", 7),
                new Identity("worker", null, null),
                Rejection.of(ErrorCode.CONFLICT, "There is one."),
                new Tick(),
                inner,
                Set.of(JobState.ACTIVE, JobState.COMPLETED));
    }

    @Test
    void a_record_of_every_type_is_read_as_it_was_written() {
        Everything written = everything(new TreeMap<>(Map.of("b", new Inner("x", List.of(1, 2)))));
        assertThat(EVERYTHING.read(EVERYTHING.write(written))).isEqualTo(written);
    }

    record Optional(
            @Nullable String text,
            byte @Nullable [] bytes,
            @Nullable Long number) {}

    @Test
    void what_is_null_is_read_as_null_and_may_be_missing_at_the_end() {
        StoredForm<Optional> form = new StoredForm<>(Optional.class, 2, "something");
        byte[] none = form.write(new Optional(null, null, null));
        assertThat(none).containsExactly(2, 0, 0, 0);
        assertThat(form.read(none)).isEqualTo(new Optional(null, null, null));
        assertThat(form.read(new byte[] {1, 1, 1, 'a'})).isEqualTo(new Optional("a", null, null));
        assertThatThrownBy(() -> form.read(new byte[] {4}))
                .hasMessage("something is stored in version 4, which this release cannot read");
    }

    record Maps(Map<String, Integer> sorted, SequencedMap<String, Integer> inOrder) {}

    @Test
    void maps_are_written_by_their_keys_unless_their_order_matters() {
        StoredForm<Maps> form = new StoredForm<>(Maps.class, 1, "maps");
        LinkedHashMap<String, Integer> ba = new LinkedHashMap<>();
        ba.put("b", 1);
        ba.put("a", 2);
        assertThat(form.write(new Maps(ba, ba))).containsExactly(1, 2, 1, 'a', 2, 1, 'b', 1, 2, 1, 'b', 1, 1, 'a', 2);
        Maps read = form.read(form.write(new Maps(ba, ba)));
        assertThat(read.sorted.keySet()).containsExactly("a", "b");
        assertThat(read.inOrder.keySet()).containsExactly("b", "a");
    }

    static final class Changing {
        final String name;
        int runs;
        transient int cached = 5;
        final List<String> notes = new ArrayList<>();
        final Map<String, Integer> counts = new TreeMap<>();

        @Nullable
        Instant endedAt;

        Changing(String name) {
            this.name = name;
        }
    }

    @Test
    void a_class_is_read_by_its_constructor_and_its_other_fields() {
        StoredForm<Changing> form = new StoredForm<>(Changing.class, 1, "a changing one");
        Changing written = new Changing("x");
        written.runs = 3;
        written.cached = 9;
        written.notes.addAll(Arrays.asList("a", "b"));
        written.counts.put("c", 4);
        written.endedAt = NOON;
        assertThat(form.read(form.write(written)))
                .usingRecursiveComparison()
                .ignoringFields("cached")
                .isEqualTo(written);
        assertThat(form.read(form.write(written)).cached).isEqualTo(5);
    }

    record Unknown(BigDecimal amount) {}

    @Test
    void a_type_without_a_rule_is_named() {
        assertThatThrownBy(() -> new StoredForm<>(Unknown.class, 1, "an amount"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("BigDecimal");
    }
}
