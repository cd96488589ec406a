package io.floodgate.topics.json;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MembersTest {
    private static final String PRETTY = """
            {
              "text" : "a\\u00e9\\n",
              "plain": "abc",
              "number":-12 ,
              "big": 123456789012345678901234567890,
              "decimal": 1.50e3,
              "yes": true, "no": false,
              "nothing": null,
              "list": [ 1.0,
                "x", {"a":[]} ],
              "object": { "b" : 1e5, "c":"é" }
            }
            """;

    private static Members members(String json) throws MalformedJson {
        return Members.of(json.getBytes(UTF_8));
    }

    private static String text(byte[] json) {
        return json == null ? null : new String(json, UTF_8);
    }

    @Test
    void half_a_surrogate_pair_becomes_a_replacement_character() throws Exception {
        Members members = members("""
                {"half":"a\\ud800b", "pair":"\\ud83d\\ude00", "turned":"\\ude00\\ud83d", "list":["\\udfff"]}""");
        assertThat(members.text("half")).isEqualTo("a\ufffdb");
        assertThat(members.text("pair")).isEqualTo("\ud83d\ude00");
        assertThat(members.text("turned")).isEqualTo("\ufffd\ufffd");
        assertThat(members.texts("list")).containsExactly("\ufffd");
    }

    @Test
    void every_member_is_kept_digit_by_digit() throws Exception {
        Members members = members(PRETTY);
        assertThat(text(members.raw("text"))).isEqualTo("\"a\\u00e9\\n\"");
        assertThat(text(members.raw("number"))).isEqualTo("-12");
        assertThat(text(members.raw("big"))).isEqualTo("123456789012345678901234567890");
        assertThat(text(members.raw("decimal"))).isEqualTo("1.50e3");
        assertThat(text(members.raw("yes"))).isEqualTo("true");
        assertThat(text(members.raw("list")))
                .doesNotContain("\n")
                .startsWith("[ 1.0,")
                .endsWith("{\"a\":[]} ]");
        assertThat(text(members.raw("object"))).isEqualTo("{ \"b\" : 1e5, \"c\":\"é\" }");
        assertThat(members.raw("nothing")).isNull();
        assertThat(members.raw("absent")).isNull();
    }

    @Test
    void every_member_is_understood_when_asked_for() throws Exception {
        Members members = members(PRETTY);
        var tree = Json.tree(PRETTY.getBytes(UTF_8));
        for (String name : members.names()) {
            if (name.equals("nothing")) assertThat(members.value(name)).isNull();
            else assertThat(members.value(name)).as(name).isEqualTo(tree.get(name));
        }
        assertThat(members.names()).containsExactlyElementsOf(tree.propertyNames());
    }

    @Test
    void objects_inside_are_understood_as_if_they_stood_alone() throws Exception {
        String inside = """
                {"key":"a-b", "ü":"\\u00fc", "concurrency":123456789012, "none":null, "twice":1, "twice":[2, {"x":0.50}],
                 "rate":{"limit":10, "period":"PT1S", "deeper":{"yes":true, "list":[{}]}}, "empty":{}}""";
        assertThat(members("{\"one\":1,\"object\":%s}".formatted(inside)).value("object"))
                .isEqualTo(Json.tree(inside.getBytes(UTF_8)));
    }

    @Test
    void null_counts_as_absent() throws Exception {
        Members members = members("{\"a\":null}");
        assertThat(members.has("a")).isFalse();
        assertThat(members.names()).containsExactly("a");
        assertThat(members.text("a")).isNull();
        assertThat(members.number("a")).isNull();
        assertThat(members.object("a")).isNull();
    }

    @Test
    void a_value_of_another_type_is_not_given() throws Exception {
        Members members = members(PRETTY);
        assertThat(members.text("number")).isNull();
        assertThat(members.number("text")).isNull();
        assertThat(members.number("big")).isNull();
        assertThat(members.number("decimal")).isNull();
        assertThat(members.object("list")).isNull();
        assertThat(members.elements("object")).isEmpty();
        assertThat(members.texts("list")).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 7, 999_999_999_999_999_999L, Long.MAX_VALUE, Long.MIN_VALUE})
    void every_long_is_a_number(long number) throws Exception {
        assertThat(members("{\"n\":%d}".formatted(number)).number("n")).isEqualTo(number);
    }

    @Test
    void objects_and_arrays_inside_can_be_taken_apart_the_same_way() throws Exception {
        Members members = members(PRETTY);
        Members object = members.object("object");
        assertThat(text(object.raw("b"))).isEqualTo("1e5");
        assertThat(object.text("c")).isEqualTo("é");
        assertThat(members.elements("list")).map(MembersTest::text).containsExactly("1.0", "\"x\"", "{\"a\":[]}");
        assertThat(members("{\"x\":[{\"a\":1},{\"a\":2}]}").objects("x"))
                .map(m -> m.number("a"))
                .containsExactly(1L, 2L);
        assertThat(members("{\"x\":[\"a\",\"b\"]}").texts("x")).containsExactly("a", "b");
    }

    @Test
    void the_elements_of_an_array_are_kept_digit_by_digit() throws Exception {
        byte[] array = " [ {\"a\":\n1.10}, -0, \"x\" ,[[]],null ]\n".getBytes(UTF_8);
        assertThat(Members.elements(array))
                .map(MembersTest::text)
                .containsExactly("{\"a\": 1.10}", "-0", "\"x\"", "[[]]", "null");
        assertThat(Members.elements("[]".getBytes(UTF_8))).isEmpty();
    }

    @Test
    void a_byte_order_mark_is_skipped() throws Exception {
        assertThat(text(members("\ufeff{\"a\": [1] ,\"b\":\"x\"}").raw("a"))).isEqualTo("[1]");
        assertThat(members("\ufeff{\"a\":[1],\"b\":\"x\"}").text("b")).isEqualTo("x");
        assertThat(Members.elements("\ufeff[12,3]".getBytes(UTF_8)))
                .map(MembersTest::text)
                .containsExactly("12", "3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "1",
                "\"a\"",
                "[]",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{\"a\":1}}",
                "{\"a\":1} x",
                "{}{}",
                "{\"a\":[1}",
                "{\"a\":01}",
                "{\"a\":1.}",
                "{\"a\":+1}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":\"\n\"}",
                "{\"a\":[\"\t\"]}",
                "{\"a\":\"\\q\"}",
                "{\"a\":[\"\\u12\"]}",
                "{\"a\":tru}",
                "{\"a\":1 /*x*/}",
                "{\"a\":\"\u0000\"}",
                "{\u0000}",
                "{\"a\":1}\u0000",
                "{\"a\" 1}",
                "{,}"
            })
    void anything_but_one_well_formed_object_is_malformed(String json) {
        assertThatThrownBy(() -> members(json))
                .isInstanceOf(MalformedJson.class)
                .hasMessageMatching("(?s).+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[", "[1", "[1,", "[1,]", "[1] 2", "[1]]", "[}", "1", "[01]", "[\"\u0001\"]"})
    void anything_but_one_well_formed_array_is_malformed(String json) {
        assertThatThrownBy(() -> Members.elements(json.getBytes(UTF_8))).isInstanceOf(MalformedJson.class);
    }

    @Test
    void a_name_given_twice_is_malformed_even_in_another_spelling() {
        for (String json : List.of("{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"\\u0061\":3}", "{\"a\":null,\"a\":1}")) {
            MalformedJson malformed = catchThrowableOfType(MalformedJson.class, () -> members(json));
            assertThat(malformed.field()).as(json).isEqualTo("a");
        }
    }

    @Test
    void nothing_but_utf_8_is_read() {
        for (Charset charset : List.of(UTF_16LE, UTF_16BE, Charset.forName("UTF-32LE"), Charset.forName("UTF-32BE")))
            for (String json : List.of("{\"a\":1}", "\ufeff{\"a\":1}", "{\"é\":1}", "[1]", "\ufeff[1]")) {
                assertThatThrownBy(() -> Members.of(json.getBytes(charset))).isInstanceOf(MalformedJson.class);
                assertThatThrownBy(() -> Members.elements(json.getBytes(charset)))
                        .isInstanceOf(MalformedJson.class);
            }
    }

    @Test
    void bytes_that_are_no_utf_8_are_found_wherever_they_stand() {
        byte[][] broken = {
            {(byte) 0x80},
            {(byte) 0xC3},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {(byte) 0xFF},
            {(byte) 0xE2, (byte) 0x82}
        };
        for (String place : List.of("{\"?\":1}", "{\"a\":\"?\"}", "{\"a\":[\"?\"]}", "?{}", "{}?"))
            for (byte[] bytes : broken) {
                byte[] json = place.replace("?", new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
                        .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
                assertThatThrownBy(() -> Members.of(json)).isInstanceOf(MalformedJson.class);
            }
    }

    @Test
    void what_a_client_nests_to_the_limit_can_be_carried_in_something_larger() throws Exception {
        String deep = "[".repeat(Json.MAX_DEPTH - 1) + "]".repeat(Json.MAX_DEPTH - 1);
        byte[] job = "{\"a\":%s}".formatted(deep).getBytes(UTF_8);
        byte[] deeper = "{\"a\":[%s]}".formatted(deep).getBytes(UTF_8);
        assertThat(Members.submitted(job).names()).containsExactly("a");
        assertThatThrownBy(() -> Members.submitted(deeper)).isInstanceOf(MalformedJson.class);
        byte[] message = JsonOut.object()
                .beginArray("jobs")
                .raw(job)
                .endArray()
                .endObject()
                .toBytes();
        assertThat(Members.of(message).elements("jobs")).containsExactly(job);
        assertThatThrownBy(() -> members("{\"a\":" + "[".repeat(100_000))).isInstanceOf(MalformedJson.class);
    }
}
