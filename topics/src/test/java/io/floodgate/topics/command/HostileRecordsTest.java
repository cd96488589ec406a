package io.floodgate.topics.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Any client may write to a partition. An exception other than {@link UnreadableCommand} would stop its partition for
 * ever. {@code -Dcodec.seed=N} runs one seed.
 */
class HostileRecordsTest {
    private static final List<CommandCodec.Encoded> SAMPLES =
            Samples.commands().values().stream().map(CommandCodec::encode).toList();
    private static final List<String> WRONG = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "1.5",
            "1e99999999999",
            "-1e-99999999999",
            "9".repeat(2_000),
            "\"\"",
            "\"x\"",
            "\"\\ud800\"",
            "\"x/\"",
            "\"/1\"",
            "\"x/-1\"",
            "[]",
            "[null]",
            "[1]",
            "[\"\"]",
            "[[]]",
            "[{}]",
            "{}",
            "{\"a\":1,\"a\":2}",
            "{\"code\":1}",
            "{\"code\":\"X\",\"message\":\"m\",\"details\":1}",
            "{\"details\":{\"\\ud800\":1}}",
            "{\"details\":{\"a\":\"\\ud800\",\"b\":1e99999999999}}",
            "[".repeat(90) + "]".repeat(90));

    private static List<Long> seeds(long count) {
        Long one = Long.getLong("codec.seed");
        if (one != null) return List.of(one);
        List<Long> seeds = new ArrayList<>();
        for (long seed = 0; seed < count; seed++) seeds.add(seed);
        return seeds;
    }

    /** Reads it as a partition does, and writes it again as a partition may have to. */
    private static void survives(String op, byte[] value, long seed) {
        try {
            Command command = CommandCodec.decode(op, value);
            CommandCodec.encode(command);
        } catch (UnreadableCommand unreadable) {
            assertThat(unreadable.rejection().message()).isNotNull();
        } catch (RuntimeException | StackOverflowError other) {
            String shown = value.length < 2_000 ? new String(value, StandardCharsets.UTF_8) : value.length + " bytes";
            throw new AssertionError(
                    "-Dcodec.seed=%d %s %s (%s)"
                            .formatted(
                                    seed,
                                    op,
                                    shown,
                                    HexFormat.of().formatHex(Arrays.copyOf(value, Math.min(value.length, 200)))),
                    other);
        }
    }

    private static void survivesUnderEveryName(byte[] value, long seed) {
        survives(null, value, seed);
        SAMPLES.stream().map(CommandCodec.Encoded::op).distinct().forEach(op -> survives(op, value, seed));
    }

    @Test
    void random_bytes() {
        for (long seed : seeds(300)) {
            byte[] bytes = new byte[new Random(seed).nextInt(200)];
            new Random(seed).nextBytes(bytes);
            survivesUnderEveryName(bytes, seed);
        }
    }

    @Test
    void every_command_under_the_name_of_every_other() {
        for (CommandCodec.Encoded sample : SAMPLES) survivesUnderEveryName(sample.value(), 0);
    }

    @Test
    void every_command_cut_off_anywhere() {
        for (CommandCodec.Encoded sample : SAMPLES)
            for (int length = 0; length < sample.value().length; length++)
                survives(sample.op(), Arrays.copyOf(sample.value(), length), length);
    }

    @Test
    void every_command_in_another_encoding() {
        for (CommandCodec.Encoded sample : SAMPLES)
            for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"))
                survives(
                        sample.op(),
                        new String(sample.value(), StandardCharsets.UTF_8)
                                .getBytes(java.nio.charset.Charset.forName(charset)),
                        0);
    }

    @Test
    void every_member_of_every_command_replaced_by_something_else_or_left_out() {
        for (Map.Entry<String, Command> entry : Samples.commands().entrySet()) {
            CommandCodec.Encoded sample = CommandCodec.encode(entry.getValue());
            JsonNode tree = Json.tree(sample.value());
            if (!tree.isObject()) continue;
            for (String name : tree.propertyNames()) {
                survives(sample.op(), Json.bytes(((ObjectNode) tree.deepCopy()).without(name)), 0);
                for (String wrong : WRONG) {
                    String marked = new String(
                            Json.bytes(((ObjectNode) tree.deepCopy()).put(name, "@@@")), StandardCharsets.UTF_8);
                    survives(sample.op(), Samples.json(marked.replace("\"@@@\"", wrong)), 0);
                }
            }
        }
    }

    @Test
    void every_command_with_random_damage() {
        for (long seed : seeds(2_000)) {
            Random random = new Random(seed);
            CommandCodec.Encoded sample = SAMPLES.get(random.nextInt(SAMPLES.size()));
            byte[] damaged = sample.value().clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--)
                damaged[random.nextInt(damaged.length)] = random.nextBoolean()
                        ? (byte) random.nextInt(256)
                        : (byte) "{}[]\",:\\01-e.".charAt(random.nextInt(13));
            survives(sample.op(), damaged, seed);
        }
    }

    @Test
    void nesting_without_end() {
        for (String open : List.of("[", "{\"a\":", "{\"error\":{\"details\":", "{\"result\":[", "{\"about\":{\"a\":["))
            survivesUnderEveryName(Samples.json(open.repeat(300_000)), 0);
        survivesUnderEveryName(Samples.json("\"" + "x".repeat(1_000_000) + "\""), 0);
    }
}
