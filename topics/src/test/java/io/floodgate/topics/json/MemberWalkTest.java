package io.floodgate.topics.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class MemberWalkTest {
    @Test
    void are_distinguished_by_kind() {
        MemberWalk members = new MemberWalk(
                "{ \"a\" : \"x\\\"}\" , \"b\":{\"c\":[1,\"]\"]},\"d\":[],\"e\":-1.5e3,\"f\":null}".getBytes(UTF_8));

        assertThat(members.next()).isTrue();
        assertThat(members.nameIs("a")).isTrue();
        assertThat(members.text()).isEqualTo("x\"}");
        assertThat(members.isScalar()).isTrue();
        assertThat(members.next()).isTrue();
        assertThat(members.isObject()).isTrue();
        assertThat(new String(members.raw(), UTF_8)).isEqualTo("{\"c\":[1,\"]\"]}");
        MemberWalk inside = members.inside();
        assertThat(inside.next()).isTrue();
        assertThat(inside.name()).isEqualTo("c");
        assertThat(members.next()).isTrue();
        assertThat(members.isScalar()).isFalse();
        assertThat(members.next()).isTrue();
        assertThat(members.text()).isEqualTo("-1.5e3");
        assertThat(members.next()).isTrue();
        assertThat(members.text()).isEqualTo("null");
        assertThat(members.next()).isFalse();
    }

    @Test
    void are_found_behind_white_space() {
        byte[] object = "\r\n\t {\"k\" : \"[\",\"queue\":\"a\"}".getBytes(UTF_8);
        assertThat(MemberWalk.text(object, "queue")).contains("a");
        assertThat(MemberWalk.text(object, "k")).contains("[");
    }

    @Test
    void are_found_by_their_names_however_those_are_spelt() {
        MemberWalk members = new MemberWalk("{\"tenant\\u005fid\":1,\"\\\\\":2}".getBytes(UTF_8));
        assertThat(members.next()).isTrue();
        assertThat(members.nameIs("tenant_id")).isTrue();
        assertThat(members.name()).isEqualTo("tenant_id");
        assertThat(members.next()).isTrue();
        assertThat(members.nameIs("\\")).isTrue();
    }

    @Test
    void of_an_empty_object_are_none() {
        assertThat(new MemberWalk("{}".getBytes(UTF_8)).next()).isFalse();
        assertThat(new MemberWalk("{ }".getBytes(UTF_8)).next()).isFalse();
    }

    /** Against a real parser: whatever object it writes, copying all members gives the same object. */
    @Test
    void copied_one_by_one_make_the_same_object() {
        long seed = Long.getLong("members.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            ObjectNode object = object(random, 4);
            MemberWalk members = new MemberWalk(Json.bytes(object));
            JsonOut out = JsonOut.object();
            while (members.next()) members.copyTo(out);
            assertThat(Json.tree(out.endObject().toBytes()))
                    .as("-Dmembers.seed=%d", seed)
                    .isEqualTo(object);
        }
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        for (int n = random.nextInt(5); n > 0; n--) object.set(text(random), value(random, depth - 1));
        return object;
    }

    private static JsonNode value(Random random, int depth) {
        var nodes = Json.MAPPER.getNodeFactory();
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> nodes.stringNode(text(random));
            case 1 -> nodes.numberNode(random.nextInt());
            case 2 -> nodes.booleanNode(random.nextBoolean());
            case 3 -> nodes.nullNode();
            case 4 -> object(random, depth);
            default -> array(random, depth);
        };
    }

    private static ArrayNode array(Random random, int depth) {
        ArrayNode array = Json.MAPPER.createArrayNode();
        for (int n = random.nextInt(4); n > 0; n--) array.add(value(random, depth - 1));
        return array;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(8); n >= 0; n--)
            text.append("ab\"\\{}[],:\n\u00e4\u20ac ".charAt(random.nextInt(14)));
        return text.toString();
    }
}
