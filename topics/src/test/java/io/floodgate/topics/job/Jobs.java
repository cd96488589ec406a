package io.floodgate.topics.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What the tests of the envelope reader say. */
final class Jobs {
    static final JobId ID = JobId.parse("019539a4-b68c-7def-8000-1a2b3c4d5e6f").orElseThrow();

    private Jobs() {}

    /** The least a job is, and more members. */
    static String job(String more) {
        return "{\"type\":\"email.send\",\"args\":[]" + (more.isEmpty() ? "" : "," + more) + "}";
    }

    static String withOptions(String options) {
        return job("\"options\":{" + options + "}");
    }

    static Envelope read(String json) {
        return read(json.getBytes(UTF_8));
    }

    static Envelope read(byte[] json) {
        try {
            return EnvelopeReader.read(json);
        } catch (UnreadableJob unreadable) {
            throw new AssertionError("rejected: " + unreadable.rejection(), unreadable);
        }
    }

    /** What is shown of the job: its members, as JSON. */
    static JsonNode shown(String json) {
        return Json.tree(read(json).payload(ID));
    }

    static String text(byte[] json) {
        return new String(json, UTF_8);
    }

    static Rejection rejection(String json) {
        return rejection(json.getBytes(UTF_8));
    }

    static Rejection rejection(byte[] json) {
        UnreadableJob unreadable = catchThrowableOfType(UnreadableJob.class, () -> EnvelopeReader.read(json));
        assertThat(unreadable).as("a rejection").isNotNull();
        return unreadable.rejection();
    }

    static void rejected(String json, ErrorCode code, String field) {
        Rejection rejection = rejection(json);
        assertThat(rejection.code()).as(json).isEqualTo(code);
        assertThat(detail(rejection, "field")).as(json).contains("\"" + field + "\"");
        assertThat(rejection.message()).as(json).contains(field);
    }

    static Optional<String> detail(Rejection rejection, String name) {
        return rejection.details().stream()
                .filter(d -> d.name().equals(name))
                .map(Rejection.Detail::json)
                .findFirst();
    }

    /** Same by value; arrays of bytes included. */
    static void same(Envelope one, Envelope other) {
        assertThat(one.id()).isEqualTo(other.id());
        assertThat(one.type()).isEqualTo(other.type());
        assertThat(one.queue()).isEqualTo(other.queue());
        assertThat(one.priority()).isEqualTo(other.priority());
        assertThat(text(one.members())).isEqualTo(text(other.members()));
        assertThat(one.terms()).usingRecursiveComparison().isEqualTo(other.terms());
    }
}
