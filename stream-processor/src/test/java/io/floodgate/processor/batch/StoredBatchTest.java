package io.floodgate.processor.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Golden;
import io.floodgate.processor.testing.Ids;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Prepared;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredBatchTest {
    private static final PartitionId FIRST = new PartitionId(0);
    private static final PartitionId SECOND = new PartitionId(1);

    private static final Instant LATER = Instant.parse("2026-01-01T12:00:00Z");

    private static BatchState batch() {
        return batch(false);
    }

    private static BatchState batch(boolean held) {
        return new BatchState(
                new ReplyTo(1, "gateway", 9),
                List.of(new BatchState.Part(FIRST, List.of(0, 2)), new BatchState.Part(SECOND, List.of(1))),
                held,
                LATER);
    }

    @Test
    void a_batch_with_an_answer() {
        BatchState batch = batch();
        batch.answer(new Prepared(1, FIRST, List.of("{\"a\":1}".getBytes(UTF_8), "{\"b\":2}".getBytes(UTF_8)), null));
        Golden.matches("batch-v1", BatchState.STORED.write(batch));
        BatchState read = BatchState.STORED.read(Golden.read("batch-v1"));
        assertThat(read).usingRecursiveComparison().isEqualTo(batch);
        assertThat(read.isComplete()).isFalse();
        read.answer(new Prepared(1, SECOND, List.of("{\"c\":3}".getBytes(UTF_8)), null));
        assertThat(read.isComplete()).isTrue();
        assertThat(read.tails().stream().map(tail -> new String(tail, UTF_8)))
                .containsExactly("{\"a\":1}", "{\"c\":3}", "{\"b\":2}");
    }

    @Test
    void a_batch_with_a_rejection() {
        BatchState batch = new BatchState(null, List.of(new BatchState.Part(FIRST, List.of())), false, LATER);
        batch.answer(new Prepared(
                1, FIRST, List.of(), Rejection.of(ErrorCode.DUPLICATE, "no").with("index", 3)));
        assertThat(BatchState.STORED.read(BatchState.STORED.write(batch)).rejection)
                .isEqualTo(batch.rejection);
    }

    @Test
    void a_part_that_is_held() {
        BatchState batch = batch(true);
        batch.answer(new Prepared(1, FIRST, List.of("{}".getBytes(UTF_8), "{}".getBytes(UTF_8)), null));
        assertThat(batch.isHeld()).isFalse();
        batch.answer(new Prepared(1, SECOND, List.of("{}".getBytes(UTF_8)), null));
        batch.beHeld(LATER);
        Golden.matches("batch-v1-staged", BatchState.STORED.write(batch));
        BatchState read = BatchState.STORED.read(Golden.read("batch-v1-staged"));
        assertThat(read).usingRecursiveComparison().isEqualTo(batch);
        assertThat(read.isHeld()).isTrue();
        assertThat(read.replyTo).isNull();
    }

    @Test
    void a_batch_that_waits() {
        BatchState batch = batch();
        BatchState.Patience patience = new BatchState.Patience(LATER, LATER.plusSeconds(30));
        patience.oneByOne = true;
        patience.standing = true;
        patience.line = SECOND;
        batch.patience = patience;
        batch.until = patience.end;
        batch.answer(new Prepared(1, SECOND, List.of(), null, 4711L));
        Golden.matches("batch-v1-waiting", BatchState.STORED.write(batch));
        BatchState read = BatchState.STORED.read(Golden.read("batch-v1-waiting"));
        assertThat(read).usingRecursiveComparison().isEqualTo(batch);
        assertThat(read.isComplete()).isTrue();
    }

    @Test
    void what_a_participant_has_reserved_with_those_who_make_room() {
        Reserved reserved = new Reserved(
                List.of(new Reserved.ReservedJob(Ids.id("a"), 1)),
                List.of(),
                LATER,
                0,
                List.of(new Reserved.ReservedJob(Ids.id("v"), 7)),
                List.of());
        Golden.matches("reserved-v1-victims", Reserved.STORED.write(reserved));
        assertThat(Reserved.STORED.read(Golden.read("reserved-v1-victims"))).isEqualTo(reserved);
    }

    @Test
    void what_a_participant_has_reserved() {
        Reserved reserved = new Reserved(
                List.of(new Reserved.ReservedJob(Ids.id("a"), 1), new Reserved.ReservedJob(Ids.id("b"), 300)),
                List.of(Ids.id("c")),
                LATER,
                2,
                List.of(),
                List.of());
        Golden.matches("reserved-v1", Reserved.STORED.write(reserved));
        assertThat(Reserved.STORED.read(Golden.read("reserved-v1"))).isEqualTo(reserved);
    }

    @Test
    void a_version_of_the_far_future_is_not_guessed_at() {
        assertThatThrownBy(() -> BatchState.STORED.read(new byte[] {4})).hasMessageContaining("version 4");
        assertThatThrownBy(() -> Reserved.STORED.read(new byte[] {5})).hasMessageContaining("version 5");
    }
}
