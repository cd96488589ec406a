package io.floodgate.gateway.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayConfig.Services;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas that are copied from a registry that a team has already. */
class SubjectsTest extends GatewayFixture {
    private static final String ADMIN = "/ojs/v1/admin/schemas";
    private static final String AMOUNT =
            "{\"type\":\"object\",\"required\":[\"amount\"],\"properties\":{\"amount\":{\"type\":\"integer\"}}}";
    private static final Map<String, Object> JSON = Map.of("schemaType", "JSON");

    private static final FakeSubjects SUBJECTS = subjects();

    @TempDir
    static Path directory;

    private static FakeSubjects subjects() {
        try {
            return new FakeSubjects();
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
    }

    @Override
    protected Services services() {
        return new Services(
                Optional.empty(),
                Optional.of(new SubjectRegistry.Settings(SUBJECTS.url(), Optional.of(directory.resolve("login")))));
    }

    @BeforeEach
    void newRegistry() throws IOException {
        SUBJECTS.forget();
        Files.writeString(directory.resolve("login"), "reader:secret\n");
        FakeRegistry registry = new FakeRegistry();
        logs.answer(registry::answer);
        given.schemas.follow(logs);
        given.pass(Duration.ofSeconds(10));
    }

    @AfterAll
    static void close() {
        SUBJECTS.close();
    }

    private Got put(String path, String body) {
        return send("PUT", ADMIN + path, body.replace('\'', '"'));
    }

    @Test
    void the_schema_of_a_subject_is_copied_and_says_where_it_is_from() {
        SUBJECTS.has("invoice-value", 3, AMOUNT, JSON);
        put("/invoice/1.0", "{'subject':'invoice-value'}")
                .answers(201, "{'version':'1.0','source':'invoice-value@3','schema':{'type':'object'}}");
        get(ADMIN + "/invoice").answers(200, "{'source':'invoice-value@3'}");
        // from then on the registry is not needed
        SUBJECTS.forget();
        String job = "{\"type\":\"invoice\",\"queue\":\"q\",\"args\":[{\"amount\":%s}],\"schema\":\"invoice\"}";
        post("/ojs/v1/jobs", job.formatted("\"5\"")).answers(400, "{'error':{'code':'schema_validation'}}");
        post("/ojs/v1/jobs", job.formatted("5")).answers(201);
    }

    @Test
    void a_version_of_a_subject_is_copied_with_what_it_refers_to() {
        SUBJECTS.has("id", 7, "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"integer\"}", JSON);
        SUBJECTS.has(
                "a/b c",
                2,
                "{\"type\":\"array\",\"items\":[{\"$ref\":\"id.json\"}]}",
                Map.of(
                        "schemaType",
                        "JSON",
                        "references",
                        List.of(Map.of("name", "id.json", "subject", "id", "version", 7))));
        SUBJECTS.has("a/b c", 3, AMOUNT, JSON);
        put("/a/1", "{'subject':'a/b c','subject_version':2,'compatibility':'FULL'}")
                .answers(201, "{'source':'a/b c@2','compatibility':'FULL','schema':{'$defs':{'id.json':{}}}}");
        put("/b/1", "{'subject':'a/b c','subject_version':'latest'}").answers(201, "{'source':'a/b c@3'}");
        // a breaking change is found as in a schema that is sent
        put("/a/1.1", "{'subject':'a/b c'}").answers(400, "{'error':{'details':{'compatibility':'FULL'}}}");
    }

    @Test
    void the_login_is_read_for_each_schema() throws IOException {
        SUBJECTS.has("s", 1, AMOUNT, JSON);
        SUBJECTS.needs("Basic cmVhZGVyOnNlY3JldA==");
        put("/a/1", "{'subject':'s'}").answers(201);
        SUBJECTS.needs("Bearer t0ken");
        put("/a/2", "{'subject':'s'}").answers(503, "{'error':{'code':'BACKEND_UNAVAILABLE'}}");
        Files.writeString(directory.resolve("login"), "t0ken");
        put("/a/2", "{'subject':'s'}").answers(201);
        Files.delete(directory.resolve("login"));
        put("/a/3", "{'subject':'s'}").answers(503);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'subject':'none'} | subject",
                "{'subject':'s','subject_version':9} | subject",
                "{'subject':'s','subject_version':'newest'} | subject_version",
                "{'subject':'s','schema':{}} | subject",
                "{'subject':'avro'} | subject",
                "{'subject':'bad'} | subject",
                "{'subject':'ring'} | subject",
                "{'subject':7} | subject",
            })
    void what_cannot_be_copied_names_its_field(String body, String field) {
        SUBJECTS.has("s", 1, AMOUNT, JSON);
        SUBJECTS.has("avro", 1, "{\"type\":\"record\"}", Map.of());
        SUBJECTS.has("bad", 1, "{\"type\":\"strin\"}", JSON);
        for (int i = 0; i < 30; i++)
            SUBJECTS.has(
                    i == 0 ? "ring" : "ring" + i,
                    1,
                    "{}",
                    Map.of(
                            "schemaType",
                            "JSON",
                            "references",
                            List.of(Map.of("name", "r" + i, "subject", "ring" + (i + 1), "version", 1))));
        put("/a/1", body).answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }

    @Test
    void what_is_no_registry_is_said_to_be_none_and_nothing_is_registered() {
        for (String answer : new String[] {"<html>", "x".repeat(1_000_000)}) {
            SUBJECTS.answersWith(answer);
            assertThat(put("/a/1", "{'subject':'s'}").status()).isIn(400, 503);
        }
        assertThat(logs.sent()).noneMatch(sent -> sent.command() instanceof PutSchema);
    }
}
