package io.floodgate.processor.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ReplyTo;
import org.junit.jupiter.api.Test;

class StoredMailTest {
    private static final PartitionId THERE = new PartitionId(5);

    @Test
    void a_message_a_client_waits_for() {
        Outgoing message =
                new Outgoing(THERE, 300, "mail", "store-claimed", "{\"a\":1}".getBytes(UTF_8), new ReplyTo(2, "g", 7));
        Golden.matches("outgoing-v1", Outgoing.STORED.write(message));
        assertThat(Outgoing.STORED.read(Golden.read("outgoing-v1")))
                .usingRecursiveComparison()
                .isEqualTo(message);
    }

    @Test
    void a_message_no_client_waits_for() {
        Outgoing message = new Outgoing(THERE, 1, "worker:w", "leased", new byte[0], null);
        Golden.matches("outgoing-silent-v1", Outgoing.STORED.write(message));
        assertThat(Outgoing.STORED.read(Golden.read("outgoing-silent-v1")))
                .usingRecursiveComparison()
                .isEqualTo(message);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> Outgoing.STORED.read(new byte[] {3})).hasMessageContaining("version 3");
    }
}
