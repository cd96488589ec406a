package io.floodgate.processor.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A JSON object of an answer, and claims about it. Names may be paths: {@code error.type}, {@code errors.0.type}. */
public final class Shown {
    private final JsonNode node;

    Shown(JsonNode node) {
        this.node = node;
    }

    public static Shown of(byte[] json) {
        return new Shown(Json.tree(json));
    }

    /** The JSON itself. */
    public JsonNode json() {
        return node;
    }

    public byte[] bytes() {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Text, number, truth or time; a job is named by its nickname in {@link #isJob}. */
    public Shown shows(String name, Object value) {
        JsonNode found = find(name);
        assertThat(found.isMissingNode())
                .as("'%s' is missing in %s", name, node)
                .isFalse();
        switch (value) {
            case Instant time -> assertThat(found.asString()).as(name).isEqualTo(Timestamps.format(time));
            case Integer number -> assertThat(found.longValue()).as(name).isEqualTo(number.longValue());
            case Long number -> assertThat(found.longValue()).as(name).isEqualTo(number);
            case Double number -> assertThat(found.doubleValue()).as(name).isEqualTo(number);
            case Boolean truth -> assertThat(found.booleanValue()).as(name).isEqualTo(truth);
            default -> assertThat(found.asString()).as(name).isEqualTo(value.toString());
        }
        return this;
    }

    /** The member as JSON, white space aside; single quotes stand for double ones. */
    public Shown showsJson(String name, String json) {
        assertThat(find(name))
                .as(name)
                .isEqualTo(Json.tree(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    public Shown hides(String... names) {
        for (String name : names)
            assertThat(find(name).isMissingNode()).as("'%s' in %s", name, node).isTrue();
        return this;
    }

    public Shown is(String state) {
        return shows("state", state);
    }

    public Shown isJob(String nickname) {
        return shows(node.has("job_id") ? "job_id" : "id", Ids.id(nickname).toString());
    }

    public String text(String name) {
        return find(name).asString();
    }

    public long number(String name) {
        return find(name).longValue();
    }

    private JsonNode find(String path) {
        JsonNode found = node;
        for (String step : path.split("\\.", -1))
            found = found.isArray() ? found.path(Integer.parseInt(step)) : found.path(step);
        return found;
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
