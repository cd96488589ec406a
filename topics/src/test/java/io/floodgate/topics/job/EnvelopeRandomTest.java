package io.floodgate.topics.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random jobs, read beside a reader that goes the slow and obvious way over a tree; and random damage, which must end in
 * a rejection or a job, nothing else. {@code -Denvelope.seed=N} runs one seed.
 */
class EnvelopeRandomTest {
    private static final long SEEDS = 3_000;
    private static final JsonNodeFactory NODES = Json.MAPPER.getNodeFactory();

    private static final List<String> OPTIONAL = List.of(
            "queue",
            "priority",
            "timeout_ms",
            "timeout",
            "visibility_timeout_ms",
            "scheduled_at",
            "expires_at",
            "ttl",
            "tags",
            "unique",
            "schema",
            "pending",
            "max_attempts",
            "on_worker_lost");

    private static List<Long> seeds() {
        Long one = Long.getLong("envelope.seed");
        if (one != null) return List.of(one);
        List<Long> seeds = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) seeds.add(seed);
        return seeds;
    }

    @Test
    void every_job_is_read_as_a_naive_reader_reads_it() {
        for (long seed : seeds()) {
            ObjectNode tree = new RandomJob(new Random(seed)).tree();
            byte[] json = RandomJob.spelled(tree, new Random(seed));
            String what = "-Denvelope.seed=" + seed + " " + new String(json, UTF_8);
            Envelope job = Jobs.read(json);
            ObjectNode options = tree.get("options") instanceof ObjectNode o ? o : NODES.objectNode();
            assertThat(job.queue())
                    .as(what)
                    .isEqualTo(pick(tree, options, "queue", "\"default\"").stringValue());
            assertThat(job.priority())
                    .as(what)
                    .isEqualTo(pick(tree, options, "priority", "0").intValue());
            assertThat(job.terms().pending())
                    .as(what)
                    .isEqualTo(pick(tree, options, "pending", "false").booleanValue());
            assertThat(job.terms().timeout()).as(what).isEqualTo(timeout(tree, options));
            assertThat(Json.tree(job.payload(Jobs.ID))).as(what).isEqualTo(expected(tree, options));
            assertThat(job.payload(Jobs.ID)).as(what).doesNotContain('\n').doesNotContain('\r');
            Jobs.same(Jobs.read(job.toJson()), job);
        }
    }

    @Test
    void damage_of_any_kind_ends_in_a_rejection_or_a_job() {
        for (long seed : seeds()) {
            Random random = new Random(seed);
            byte[] json = RandomJob.spelled(new RandomJob(random).tree(), random);
            for (int hit = 0; hit < 10; hit++) {
                byte[] damaged = json.clone();
                for (int n = 1 + random.nextInt(3); n > 0; n--)
                    damaged[random.nextInt(damaged.length)] = random.nextBoolean()
                            ? (byte) random.nextInt(256)
                            : (byte) "{}[]\",:\\01-e.".charAt(random.nextInt(13));
                if (random.nextInt(4) == 0) damaged = java.util.Arrays.copyOf(damaged, random.nextInt(damaged.length));
                try {
                    Envelope job = EnvelopeReader.read(damaged);
                    Jobs.same(Jobs.read(job.toJson()), job);
                } catch (UnreadableJob rejected) {
                    assertThat(rejected.rejection().message()).isNotBlank();
                } catch (RuntimeException | AssertionError other) {
                    throw new AssertionError("-Denvelope.seed=" + seed + " " + new String(damaged, UTF_8), other);
                }
            }
        }
    }

    private static JsonNode pick(ObjectNode tree, ObjectNode options, String name, String otherwise) {
        if (options.hasNonNull(name)) return options.get(name);
        return tree.hasNonNull(name) ? tree.get(name) : Json.tree(otherwise.getBytes(UTF_8));
    }

    private static Duration timeout(ObjectNode tree, ObjectNode options) {
        JsonNode millis = pick(tree, options, "timeout_ms", "null");
        JsonNode seconds = pick(tree, options, "timeout", "null");
        if (!millis.isNull()) return Duration.ofMillis(millis.longValue());
        return seconds.isNull() ? null : Duration.ofSeconds(seconds.longValue());
    }

    private static ObjectNode expected(ObjectNode tree, ObjectNode options) {
        ObjectNode shown = NODES.objectNode();
        shown.put("id", Jobs.ID.toString()).put("specversion", "1.0").set("type", tree.get("type"));
        shown.set("args", tree.get("args"));
        shown.set("meta", tree.hasNonNull("meta") ? tree.get("meta") : NODES.objectNode());
        if (tree.hasNonNull("timeout")) shown.set("timeout", tree.get("timeout"));
        for (String name : List.of("tags", "unique", "schema", "visibility_timeout_ms")) {
            JsonNode value = pick(tree, options, name, "null");
            if (!value.isNull()) shown.set(name, value);
        }
        JsonNode expires = pick(tree, options, "expires_at", "null");
        if (expires.isString() && !expires.stringValue().startsWith("+")) shown.set("expires_at", expires);
        for (var field : tree.properties())
            if (field.getKey().startsWith("x_") && !field.getValue().isNull())
                shown.set(field.getKey(), field.getValue());
        return shown;
    }

    /** Makes valid jobs. */
    private record RandomJob(Random random) {
        ObjectNode tree() {
            ObjectNode job = NODES.objectNode();
            job.put("type", random.nextBoolean() ? "email.send" : "a-b_c.d");
            var args = NODES.arrayNode();
            for (int n = random.nextInt(4); n > 0; n--) args.add(any(4));
            job.set("args", args);
            if (random.nextInt(3) == 0) job.set("meta", object(3));
            for (String name : OPTIONAL) if (random.nextInt(4) == 0) job.set(name, value(name));
            for (int n = random.nextInt(3); n > 0; n--) job.set("x_" + text(), any(3));
            if (random.nextInt(4) == 0) job.put("state", "completed");
            if (random.nextInt(2) == 0) {
                ObjectNode options = job.putObject("options");
                for (String name : OPTIONAL) if (random.nextInt(4) == 0) options.set(name, value(name));
            }
            return job;
        }

        private JsonNode value(String name) {
            if (random.nextInt(8) == 0) return NODES.nullNode();
            return switch (name) {
                case "queue" -> NODES.stringNode(random.nextBoolean() ? "q" : "a.b-" + random.nextInt(100));
                case "priority" -> NODES.numberNode(random.nextInt(201) - 100);
                case "timeout", "timeout_ms", "visibility_timeout_ms" -> NODES.numberNode(1 + random.nextInt(100_000));
                case "scheduled_at", "expires_at" ->
                    NODES.stringNode(
                            random.nextBoolean() ? "+PT%dS".formatted(random.nextInt(99)) : "2030-01-01T00:00:00.1Z");
                case "ttl" -> NODES.numberNode(random.nextInt(1_000));
                case "tags" -> NODES.arrayNode().add(text()).add(text());
                case "unique" -> NODES.objectNode().put("period_ms", 1 + random.nextInt(9));
                case "pending" -> NODES.booleanNode(random.nextBoolean());
                case "max_attempts" -> NODES.numberNode(random.nextInt(20));
                case "on_worker_lost" -> NODES.stringNode(random.nextBoolean() ? "retry" : "discard");
                default -> NODES.stringNode(text());
            };
        }

        private JsonNode any(int depth) {
            return switch (random.nextInt(depth > 0 ? 9 : 7)) {
                case 0 -> NODES.nullNode();
                case 1 -> NODES.booleanNode(random.nextBoolean());
                case 2 -> NODES.numberNode(random.nextInt());
                case 3 -> NODES.numberNode(new java.math.BigInteger(200, random));
                case 4 ->
                    NODES.numberNode(
                            new java.math.BigDecimal(new java.math.BigInteger(100, random), 1 + random.nextInt(40)));
                case 5, 6 -> NODES.stringNode(text());
                case 7 -> object(depth - 1);
                default -> {
                    var array = NODES.arrayNode();
                    for (int n = random.nextInt(4); n > 0; n--) array.add(any(depth - 1));
                    yield array;
                }
            };
        }

        private ObjectNode object(int depth) {
            ObjectNode object = NODES.objectNode();
            for (int n = random.nextInt(4); n > 0; n--) object.set(text(), any(depth - 1));
            return object;
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(6); n > 0; n--)
                text.appendCodePoint("a\"\\\n\u0000é€\u2028😀/ ".codePoints().toArray()[random.nextInt(10)]);
            return text.toString();
        }

        /** The same JSON in a random order of fields, with or without white space and escapes. */
        static byte[] spelled(ObjectNode tree, Random random) {
            List<String> names = new ArrayList<>(tree.propertyNames());
            Collections.shuffle(names, random);
            Set<String> seen = new TreeSet<>(names);
            assertThat(seen).hasSameSizeAs(names);
            ObjectNode shuffled = NODES.objectNode();
            names.forEach(name -> shuffled.set(name, tree.get(name)));
            return switch (random.nextInt(3)) {
                case 0 -> Json.bytes(shuffled);
                case 1 -> Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(shuffled);
                default ->
                    Json.MAPPER
                            .writer()
                            .with(tools.jackson.core.json.JsonWriteFeature.ESCAPE_NON_ASCII)
                            .writeValueAsBytes(shuffled);
            };
        }
    }
}
