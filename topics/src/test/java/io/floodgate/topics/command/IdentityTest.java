package io.floodgate.topics.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
    @Test
    void comes_back_as_it_was_written() throws UnreadableCommand {
        for (Identity identity : List.of(
                new Identity("billing", null, null),
                new Identity("billing@host:1/a", List.of("billing.*", "mail"), null),
                new Identity("acme", List.of(), "acme"),
                new Identity("acme", null, "_default")))
            assertThat(Identity.read(identity.write())).isEqualTo(identity);
    }

    @ParameterizedTest
    @Table("""
        billing | [] | {} | {"name":""} | {"name":7} | {"name":"two words"} | {"name":"a","queues":"billing"}
        {"name":"a","queues":null} | {"name":"a","tenant":null} | {"name":"a","queues":["billing",7]}
        {"name":"a","queues":["billing queue"]} | {"name":"a","tenant":""} | {"name":"a","tenant":{}}
        """)
    @ValueSource(strings = "")
    void that_makes_no_sense_is_rejected(String text) {
        assertThatThrownBy(() -> Identity.read(text)).isInstanceOf(UnreadableCommand.class);
    }

    @Test
    void of_any_length_is_rejected() {
        assertThatThrownBy(() -> Identity.read("{\"name\":\"a\",\"x\":\"" + "x".repeat(20_000) + "\"}"))
                .isInstanceOf(UnreadableCommand.class);
        assertThatThrownBy(() -> Identity.read("{\"name\":\"" + "a".repeat(101) + "\"}"))
                .isInstanceOf(UnreadableCommand.class);
    }

    @Test
    void sees_what_its_queues_and_its_tenant_have_in_common() {
        Identity all = new Identity("a", null, null);
        Identity some = new Identity("a", List.of("billing.*"), "acme");
        assertThat(all.isConfined()).isFalse();
        assertThat(all.maySee("mail", () -> "other")).isTrue();
        assertThat(some.isConfined()).isTrue();
        assertThat(some.maySee("billing.cards", () -> "acme")).isTrue();
        assertThat(some.maySee("billing.cards", () -> "other")).isFalse();
        assertThat(some.maySee("mail", () -> "acme")).isFalse();
        assertThat(new Identity("a", List.of(), null).mayUse("mail")).isFalse();
    }
}
