package io.floodgate.topics.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonOutTest {
    private static String quoted(String text) {
        return new JsonOut().value(text).toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    @ParameterizedTest
    @Table("""
        plain | " | \\ | \\" | / | \u007f | \u0080 | é | ÿ | ߿ | ࠀ | € | \ufeff | \uffff | 😀 | a😀b
        😀😀 | \ud83d\udc68\u200d\ud83d\udc69
        """)
    @ValueSource(strings = {"", "\n", "\r\n", "\t\b\f", "\u0000", "\u001f", "\u2028\u2029"})
    void jackson_reads_every_string_as_it_was_written(String text) {
        assertThat(Json.tree(utf8(quoted(text))).stringValue()).isEqualTo(text);
        assertThat(Json.tree(JsonOut.object().field(text, text).endObject().toBytes())
                        .get(text)
                        .stringValue())
                .isEqualTo(text);
    }

    @Test
    void every_single_char_is_read_as_it_was_written() {
        for (int c = 0; c <= 0xFFFF; c++) {
            String text = "a" + (char) c + "b";
            assertThat(Json.tree(utf8(quoted(text))).stringValue()).isEqualTo(text);
        }
    }

    @Test
    void half_a_surrogate_pair_is_escaped_and_a_whole_one_is_not() {
        assertThat(quoted("\ud83d")).isEqualTo("\"\\ud83d\"");
        assertThat(quoted("\ude00\ud83d")).isEqualTo("\"\\ude00\\ud83d\"");
        assertThat(quoted("\ud83d\ud83d\ude00")).isEqualTo("\"\\ud83d😀\"");
        assertThat(quoted("😀")).isEqualTo("\"😀\"");
    }

    @Test
    void random_strings_are_read_as_they_were_written() {
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) text.append((char) random.nextInt(1 << random.nextInt(1, 17)));
            assertThat(Json.tree(utf8(quoted(text.toString()))).stringValue()).isEqualTo(text.toString());
        }
    }

    @Test
    void commas_stand_between_values_and_nowhere_else() {
        JsonOut out = JsonOut.object(0)
                .field("a", 1)
                .beginArray("b")
                .value(1)
                .value("x")
                .beginObject()
                .endObject()
                .beginArray()
                .endArray()
                .value(true)
                .endArray()
                .beginObject("c")
                .field("d", false)
                .field("e", List.of("f", "g"))
                .field("h", List.of())
                .endObject()
                .field("i", Instant.ofEpochMilli(1))
                .endObject();
        assertThat(out)
                .hasToString(
                        "{\"a\":1,\"b\":[1,\"x\",{},[],true],\"c\":{\"d\":false,\"e\":[\"f\",\"g\"],\"h\":[]},\"i\":\"1970-01-01T00:00:00.001Z\"}");
    }

    @Test
    void absent_values_leave_no_trace() {
        JsonOut out = JsonOut.object()
                .optional("a", (String) null)
                .optional("b", (Long) null)
                .optional("c", (Instant) null)
                .optionalRaw("d", null)
                .optional("e", 5L)
                .endObject();
        assertThat(out).hasToString("{\"e\":5}");
    }

    @Test
    void numbers_are_read_as_they_were_written() {
        for (long number : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE})
            assertThat(Json.tree(new JsonOut().value(number).toBytes()).longValue())
                    .isEqualTo(number);
        for (double number : new double[] {0.5, 1, -2.25, 1e300, Double.MIN_VALUE, Math.PI})
            assertThat(Json.tree(new JsonOut().value(number).toBytes()).doubleValue())
                    .isEqualTo(number);
        assertThat(new JsonOut().value(Double.NaN)).hasToString("null");
        assertThat(new JsonOut().value(Double.POSITIVE_INFINITY)).hasToString("null");
    }

    @Test
    void a_fragment_loses_its_line_feeds_and_nothing_else() {
        byte[] pretty = utf8("{\r\n  \"a\" : \"x\\n\",\n  \"b\":[1,\n2]\n}");
        JsonOut out = JsonOut.object()
                .field("x", 1)
                .fieldRaw("y", pretty)
                .field("z", 2)
                .endObject();
        assertThat(out.toString()).doesNotContain("\n", "\r");
        assertThat(Json.tree(out.toBytes()).get("y")).isEqualTo(Json.tree(pretty));
    }

    @Test
    void a_part_of_an_array_of_bytes_can_be_a_fragment() {
        byte[] bytes = utf8("xx[1,2]yy");
        assertThat(new JsonOut().beginArray().raw(bytes, 2, 7).raw(bytes, 3, 4).endArray())
                .hasToString("[[1,2],1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{ }", " {}", "{\n}\n", "\t{ \r\n }  "})
    void the_members_of_an_empty_object_are_none(String empty) {
        JsonOut out = JsonOut.object()
                .members(utf8(empty))
                .field("a", 1)
                .members(utf8(empty))
                .endObject();
        assertThat(out).hasToString("{\"a\":1}");
    }

    @Test
    void the_members_of_objects_can_be_put_together() {
        JsonOut out = JsonOut.object()
                .members(utf8("{\"a\":1,\"b\":{}}"))
                .field("c", 2)
                .members(utf8(" {\n\"d\": [\n]} \n"))
                .endObject();
        assertThat(out.toString()).doesNotContain("\n");
        assertThat(Json.tree(out.toBytes())).isEqualTo(Json.tree(utf8("{\"a\":1,\"b\":{},\"c\":2,\"d\":[]}")));
    }

    @Test
    void a_new_line_starts_afresh() {
        JsonOut out = JsonOut.object()
                .field("a", 1)
                .endObject()
                .newLine()
                .beginObject()
                .endObject();
        assertThat(out).hasToString("{\"a\":1}\n{}");
    }

    @Test
    void grows_as_needed_and_tells_its_length() {
        JsonOut out = new JsonOut(1).beginArray();
        for (int i = 0; i < 10_000; i++) out.value("é" + i);
        out.endArray();
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        out.writeTo(copy);
        assertThat(copy.toByteArray()).isEqualTo(out.toBytes()).hasSize(out.length());
        assertThat(Json.tree(out.toBytes()).size()).isEqualTo(10_000);
    }

    @Test
    void trees_are_written_as_jackson_writes_them() {
        for (String json : new String[] {
            "null",
            "true",
            "-0.10",
            "123456789012345678901234567890",
            "1.000000000000000000000000000001",
            "[]",
            "{}",
            "{\"a\":[1,2.5,{\"b\":null}],\"é\":\"😀\\u0000\\n\"}"
        }) {
            JsonNode tree = Json.tree(utf8(json));
            assertThat(Json.tree(Json.bytes(tree))).isEqualTo(tree);
            assertThat(Json.tree(Json.MAPPER.writeValueAsBytes(tree))).isEqualTo(Json.tree(Json.bytes(tree)));
        }
    }

    @Test
    void a_tree_with_half_a_surrogate_pair_can_be_written() {
        byte[] json = utf8("{\"a\":[\"\\ud83d\",\"\\ude00x\"]}");
        assertThat(Json.bytes(Json.tree(json))).isEqualTo(json);
    }
}
