package io.floodgate.processor.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Golden;
import io.floodgate.processor.testing.Ids;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.ReplyTo;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredBatchTest {
    private static final LogId FIRST = new LogId("ojs.commands", 0);
    private static final LogId SECOND = new LogId("ojs.commands", 1);

    private static Ballot ballot() {
        return new Ballot(
                new ReplyTo(1, "gateway", 9),
                List.of(new Ballot.Part(FIRST, List.of(0, 2)), new Ballot.Part(SECOND, List.of(1))));
    }

    @Test
    void a_ballot_with_an_answer() {
        Ballot ballot = ballot();
        ballot.answer(FIRST, List.of("{\"a\":1}".getBytes(UTF_8), "{\"b\":2}".getBytes(UTF_8)), null);
        Golden.matches("ballot-v1", ballot.write());
        Ballot read = Ballot.read(Golden.read("ballot-v1"));
        assertThat(read).usingRecursiveComparison().isEqualTo(ballot);
        assertThat(read.isComplete()).isFalse();
        read.answer(SECOND, List.of("{\"c\":3}".getBytes(UTF_8)), null);
        assertThat(read.isComplete()).isTrue();
        assertThat(read.tails().stream().map(tail -> new String(tail, UTF_8)))
                .containsExactly("{\"a\":1}", "{\"c\":3}", "{\"b\":2}");
    }

    @Test
    void a_ballot_with_a_refusal() {
        Ballot ballot = new Ballot(null, List.of(new Ballot.Part(FIRST, List.of())));
        ballot.answer(FIRST, List.of(), Refusal.of(ErrorCode.DUPLICATE, "no").with("index", 3));
        Golden.matches("ballot-refused-v1", ballot.write());
        assertThat(Ballot.read(Golden.read("ballot-refused-v1")).refusal).isEqualTo(ballot.refusal);
    }

    @Test
    void what_a_participant_holds() {
        HeldJobs held = new HeldJobs(
                List.of(new HeldJobs.Held(Ids.id("a"), 1), new HeldJobs.Held(Ids.id("b"), 300)), List.of(Ids.id("c")));
        Golden.matches("held-v1", held.write());
        assertThat(HeldJobs.read(Golden.read("held-v1"))).isEqualTo(held);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> Ballot.read(new byte[] {4})).hasMessageContaining("version 4");
        assertThatThrownBy(() -> HeldJobs.read(new byte[] {5})).hasMessageContaining("version 5");
    }
}
