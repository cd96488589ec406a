package io.floodgate.topics.unique;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalScanTest {
    private static final int DOCUMENTS = 200_000;

    private static boolean scanned(String json) {
        return new CanonicalScan(json.getBytes(UTF_8)).isCanonical();
    }

    private static String written(String json) throws UnreadableUnique {
        return CanonicalJson.write(Json.tree(json.getBytes(UTF_8)), new JsonOut())
                .toString();
    }

    @ParameterizedTest
    @Table("""
        [] | {} | [1,-2,0,"a",true,false,null,999999999999999999] | [{"a":1,"ab":{"":[]},"b":""}] | {"":1,"a":2}
        ["\u007f a/b"]
        """)
    void what_is_spelled_so_is_seen(String json) throws Exception {
        assertThat(written(json)).isEqualTo(json);
        assertThat(scanned(json)).isTrue();
    }

    @ParameterizedTest
    @Table("""
        [1 ] | [1.0] | [1e2] | [-0] | [1234567890123456789] | ["\\u0061"] | ["\\/"] | ["\u00e9"] | {"b":1,"a":2}
        {"ab":1,"a":2} | {"a":1, "b":2} | {"a" :1}
        """)
    @ValueSource(strings = " []")
    void anything_else_has_to_be_written_again(String json) {
        assertThat(scanned(json)).isFalse();
    }

    /** Whatever it says of a document, the fingerprint must not depend on it. */
    @Test
    void what_it_takes_for_canonical_is_so() throws Exception {
        Random random = new Random(29);
        int canonical = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            StringBuilder json = new StringBuilder();
            write(random, 3, json);
            String document = json.toString();
            if (!scanned(document)) continue;
            canonical++;
            assertThat(written(document)).isEqualTo(document);
        }
        assertThat(canonical).isBetween(DOCUMENTS / 20, DOCUMENTS * 19 / 20);
    }

    private static String of(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static void write(Random random, int depth, StringBuilder json) {
        switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 ->
                json.append(of(random, "0", "7", "-3", "123456789012", "1.5", "-0", "1e3", "12345678901234567890"));
            case 1 -> json.append(of(random, "true", "false", "null"));
            case 2, 3 -> json.append(of(random, "\"\"", "\"a\"", "\"b c\"", "\"\\n\"", "\"\u00e9\"", "\"\\u00e9\""));
            case 4 -> {
                json.append('[');
                for (int left = random.nextInt(4); left > 0; left--) {
                    write(random, depth - 1, json);
                    if (left > 1) json.append(of(random, ",", ",", ",", ", "));
                }
                json.append(']');
            }
            default -> {
                json.append('{');
                // Names are not given twice.
                String[] names =
                        random.nextBoolean() ? new String[] {"", "a", "ab", "b"} : new String[] {"b", "ab", "a"};
                int size = random.nextInt(names.length);
                for (int i = 0; i < size; i++) {
                    if (i > 0) json.append(',');
                    json.append('"').append(names[i]).append("\":");
                    write(random, depth - 1, json);
                }
                json.append('}');
            }
        }
    }
}
