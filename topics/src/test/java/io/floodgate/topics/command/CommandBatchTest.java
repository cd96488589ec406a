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

class CommandBatchTest {
    private static final CommandBatch.Part ENQUEUE =
            part("enqueue-new", "{\"type\":\"a\",\n\"args\":[\"ä\"]}", new ReplyTo(3, "me", 17), null);
    private static final CommandBatch.Part ACK =
            part("ack", "{}", new ReplyTo(0, "you", 1), "{\"name\":\"billing\",\"queues\":[\"a b\"]}");
    private static final CommandBatch.Part UNANSWERED = part("withdraw", "", null, null);

    private static CommandBatch.Part part(String op, String value, ReplyTo replyTo, String by) {
        return new CommandBatch.Part(op, value.getBytes(UTF_8), replyTo, by);
    }

    private static void rejects(byte[] value) {
        assertThatThrownBy(() -> CommandBatch.decode(value))
                .isInstanceOf(UnreadableCommand.class)
                .hasMessageContaining("<op> <bytes> <reply-to> <by>");
    }

    @Test
    void comes_out_as_it_went_in() throws UnreadableCommand {
        CommandCodec.Encoded commandBatch = CommandBatch.encode(List.of(ENQUEUE, ACK, UNANSWERED));
        assertThat(commandBatch.op()).isEqualTo("command-batch");
        assertThat(CommandBatch.decode(commandBatch.value()))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(ENQUEUE, ACK, UNANSWERED);
    }

    @Test
    void can_be_read_by_people() {
        assertThat(new String(CommandBatch.encode(List.of(ENQUEUE, ACK)).value(), UTF_8))
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
                "command-batch 0 - -\n\n",
            })
    void rejects_what_is_none(String text) {
        rejects(text.getBytes(UTF_8));
    }

    @Test
    void rejects_any_beginning_of_one() {
        byte[] whole = CommandBatch.encode(List.of(ENQUEUE)).value();
        for (int length = 0; length < whole.length; length++) rejects(Arrays.copyOf(whole, length));
    }

    @Test
    void holds_so_many_commands_and_bytes_and_no_more() throws UnreadableCommand {
        List<CommandBatch.Part> most = Collections.nCopies(CommandBatch.MOST_COMMANDS, ACK);
        assertThat(CommandBatch.decode(CommandBatch.encode(most).value())).hasSize(CommandBatch.MOST_COMMANDS);
        rejects(CommandBatch.encode(Collections.nCopies(CommandBatch.MOST_COMMANDS + 1, ACK))
                .value());
        rejects(CommandBatch.encode(List.of(part("ack", "x".repeat(CommandBatch.MOST_BYTES), null, null)))
                .value());
    }
}
