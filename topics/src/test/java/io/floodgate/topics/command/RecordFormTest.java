package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Wire;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RecordFormTest {
    public enum Colour {
        RED,
        LIGHT_BLUE
    }

    public record Inner(@Nullable String note, boolean isLast) {}

    public record Outer(
            JobId job,
            @Wire.Name("worker_id") String worker,
            @Wire.Most(1_000) Duration maxWait,
            @Nullable Instant startedAt,
            Colour colour,
            @Wire.OrEmpty @Wire.Most(2) List<String> names,
            @Wire.Least(1) @Wire.Capped(9) int count,
            Map<String, Long> counts,
            Inner inner,
            @Wire.Inline Inner inline,
            @Nullable Long size) {}

    private static final Outer LEAST = new Outer(
            Samples.JOB,
            "w",
            Duration.ZERO,
            null,
            Colour.RED,
            List.of(),
            1,
            Map.of(),
            new Inner(null, false),
            new Inner(null, false),
            null);

    static Stream<Class<?>> commands() {
        return CommandTypes.all().stream().filter(CommandType::hasForm).map(CommandType::type);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void random_values_of_every_command_are_read_as_they_were_written(Class<?> type) throws Exception {
        RandomRecords records = new RandomRecords(type.getName().hashCode());
        for (int i = 0; i < 8; i++) {
            Command command = (Command) records.of(type);
            CommandCodec.Encoded encoded = CommandCodec.encode(command);
            assertThat(CommandCodec.decode(encoded.op(), encoded.value()))
                    .as(encoded.op())
                    .usingRecursiveComparison()
                    .isEqualTo(command);
        }
    }

    @Test
    void members_are_named_after_components_and_what_is_empty_is_left_out() {
        assertThat(new String(RecordForm.of(Outer.class).toBytes(LEAST), UTF_8))
                .isEqualTo(
                        "{\"job_id\":\"%s\",\"worker_id\":\"w\",\"max_wait_ms\":0,\"colour\":\"red\",\"count\":1,\"inner\":{}}"
                                .formatted(Samples.JOB));
        Outer full = new Outer(
                Samples.JOB,
                "w",
                Duration.ofSeconds(1),
                Instant.ofEpochMilli(5),
                Colour.LIGHT_BLUE,
                List.of("a"),
                9,
                Map.of("b", 2L),
                new Inner("c", true),
                new Inner(null, true),
                7L);
        assertThat(new String(RecordForm.of(Outer.class).toBytes(full), UTF_8))
                .isEqualTo(("{\"job_id\":\"%s\",\"worker_id\":\"w\",\"max_wait_ms\":1000,\"started_at_ms\":5,"
                                + "\"colour\":\"light_blue\",\"names\":[\"a\"],\"count\":9,\"counts\":{\"b\":2},"
                                + "\"inner\":{\"note\":\"c\",\"is_last\":true},\"is_last\":true,\"size\":7}")
                        .formatted(Samples.JOB));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    job_id      | "x"     | 'x' is no job id.
                    job_id      | null    | The command lacks 'job_id'.
                    worker_id   | 1       | 'worker_id' must be a string.
                    max_wait_ms | "1"     | 'max_wait_ms' must be an integer.
                    max_wait_ms | -1      | 'max_wait_ms' must not be negative.
                    colour      | "green" | 'colour' must be one of red, light_blue; it is 'green'.
                    names       | [1]     | 'names' must be a list of strings.
                    count       | 0       | 'count' must be 1 or more.
                    counts      | {"a":-1}| 'a' must not be negative.
                    inner       | []      | 'inner' must be an object.
                    """)
    void a_member_that_makes_no_sense_is_unreadable_and_the_error_says_why(String name, String value, String message) {
        String text = new String(RecordForm.of(Outer.class).toBytes(LEAST), UTF_8);
        String other = "\"%s\":%s".formatted(name, value);
        String member = "\"%s\":(\"[^\"]*\"|\\{}|[0-9]+)".formatted(name);
        String wrong = text.contains("\"" + name + "\"")
                ? text.replaceFirst(member, other)
                : text.replaceFirst("}$", "," + other + "}");
        assertThatThrownBy(() -> RecordForm.of(Outer.class).read(JsonFields.of(json(wrong))))
                .isInstanceOf(UnreadableCommand.class)
                .hasMessage(message);
    }

    @Test
    void bounds_hold_for_texts_and_for_what_an_annotation_bounds() throws Exception {
        RecordForm<Outer> form = RecordForm.of(Outer.class);
        form.check(LEAST);
        assertThatThrownBy(() -> form.check(changed("w".repeat(256), Duration.ZERO, List.of())))
                .hasMessage("'worker_id' has 256 characters; at most 255 are accepted.");
        assertThatThrownBy(() -> form.check(changed("w", Duration.ofMillis(1_001), List.of())))
                .hasMessage("'max_wait_ms' is more than 1000.");
        assertThatThrownBy(() -> form.check(changed("w", Duration.ZERO, List.of("a", "b", "c"))))
                .hasMessage("'names' has 3 elements; at most 2 are accepted.");
    }

    private static Outer changed(String worker, Duration maxWait, List<String> names) {
        return new Outer(
                Samples.JOB, worker, maxWait, null, Colour.RED, names, 1, Map.of(), LEAST.inner(), LEAST.inner(), null);
    }

    public record OfUnknownType(URI address) {}

    public record OfUnknownElements(Set<Inner> all) {}

    @Test
    void a_component_without_a_rule_is_named_before_anything_is_written() {
        assertThatThrownBy(() -> RecordForm.of(OfUnknownType.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "There is no rule how to write URI, the type of 'address' in " + OfUnknownType.class.getName());
        assertThatThrownBy(() -> RecordForm.of(OfUnknownElements.class)).hasMessageContaining("the type of 'all'");
    }
}
