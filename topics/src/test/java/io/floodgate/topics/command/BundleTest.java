package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BundleTest {
    private static final Bundle.Part ENQUEUE =
            part("enqueue-new", "{\"type\":\"a\",\n\"args\":[\"ä\"]}", new ReplyTo(3, "me", 17), null);
    private static final Bundle.Part ACK =
            part("ack", "{}", new ReplyTo(0, "you", 1), "{\"name\":\"billing\",\"queues\":[\"a b\"]}");
    private static final Bundle.Part UNANSWERED = part("withdraw", "", null, null);

    private static Bundle.Part part(String op, String value, ReplyTo replyTo, String by) {
        return new Bundle.Part(op, value.getBytes(UTF_8), replyTo, by);
    }

    private static void refuses(byte[] value) {
        assertThatThrownBy(() -> Bundle.decode(value))
                .isInstanceOf(UnreadableCommand.class)
                .hasMessageContaining("<op> <bytes> <reply-to> <by>");
    }

    @Test
    void comes_out_as_it_went_in() throws UnreadableCommand {
        CommandCodec.Encoded bundle = Bundle.encode(List.of(ENQUEUE, ACK, UNANSWERED));
        assertThat(bundle.op()).isEqualTo("bundle");
        assertThat(Bundle.decode(bundle.value()))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(ENQUEUE, ACK, UNANSWERED);
    }

    @Test
    void can_be_read_by_people() {
        assertThat(new String(Bundle.encode(List.of(ENQUEUE, ACK)).value(), UTF_8))
                .isEqualTo("""
                        enqueue-new 27 3:me:17 -
                        {"type":"a",
                        "args":["ä"]}
                        ack 2 0:you:1 {"name":"billing","queues":["a b"]}
                        {}
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "ack",
                "ack 2 - -",
                "ack 2 - -\n",
                "ack 2 - -\n{}",
                "ack 3 - -\n{}\n",
                "ack 1 - -\n{}\n",
                "ack -1 - -\n{}\n",
                "ack 2147483648 - -\n{}\n",
                "ack x - -\n{}\n",
                "ack 2 -\n{}\n",
                "ack 2 me -\n{}\n",
                "ack 2 0:me:x -\n{}\n",
                "upgrade 11 - -\n{\"rules\":2}\n",
                "bundle 0 - -\n\n",
            })
    void refuses_what_is_none(String text) {
        refuses(text.getBytes(UTF_8));
    }

    @Test
    void refuses_any_beginning_of_one() {
        byte[] whole = Bundle.encode(List.of(ENQUEUE)).value();
        for (int length = 0; length < whole.length; length++) refuses(Arrays.copyOf(whole, length));
    }

    @Test
    void holds_so_many_commands_and_bytes_and_no_more() throws UnreadableCommand {
        List<Bundle.Part> most = Collections.nCopies(Bundle.MOST_COMMANDS, ACK);
        assertThat(Bundle.decode(Bundle.encode(most).value())).hasSize(Bundle.MOST_COMMANDS);
        refuses(Bundle.encode(Collections.nCopies(Bundle.MOST_COMMANDS + 1, ACK))
                .value());
        refuses(Bundle.encode(List.of(part("ack", "x".repeat(Bundle.MOST_BYTES), null, null)))
                .value());
    }
}
