package io.floodgate.gateway.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaRoutesTest extends GatewayFixture {
    private static final String ADMIN = "/ojs/v1/admin/schemas";
    private static final String INVOICE = """
            {"type":"array","prefixItems":[{"type":"object","required":["amount"],
            "properties":{"amount":{"type":"integer"}}}]}""";
    private static final String GOOD = "[{\"amount\":5}]";
    private static final String BAD = "[{\"amount\":\"5\"}]";

    private FakeRegistry registry = new FakeRegistry();

    @BeforeEach
    void newRegistry() {
        registry = new FakeRegistry();
        logs.answer(command -> registry.answer(command));
        given.schemas.follow(logs);
        given.pass(Duration.ofSeconds(10));
    }

    private Got put(String path, String body) {
        return send("PUT", ADMIN + path, body);
    }

    private void register(String version) {
        put("/invoice/" + version, "{\"schema\":%s}".formatted(INVOICE)).answers(201);
    }

    private static String job(String args, String more) {
        return "{\"type\":\"invoice\",\"queue\":\"q\",\"args\":%s%s}".formatted(args, more);
    }

    private Got enqueue(String args, String more) {
        return post("/ojs/v1/jobs", job(args, more));
    }

    // ---- the registry

    @Test
    void versions_are_numbers_under_admin_and_count_up_by_themselves() {
        put("/invoice", "{\"schema\":%s}".formatted(INVOICE))
                .answers(201, "{'type':'invoice','version':1,'schema':{'type':'array'}}");
        put("/invoice", "{\"schema\":%s}".formatted(INVOICE)).answers(201, "{'version':2}");
        put("/invoice/7", "{\"schema\":%s}".formatted(INVOICE)).answers(201, "{'version':7}");
        put("/invoice/7", "{\"schema\":%s}".formatted(INVOICE)).answers(409, "{'error':{'code':'conflict'}}");
        get(ADMIN + "/invoice").answers(200, "{'version':7,'schema':{'type':'array'}}");
        get(ADMIN + "/invoice/latest").answers(200, "{'version':7}");
        get(ADMIN + "/invoice/2").answers(200, "{'version':2,'uri':'urn:ojs:schema:invoice:v2'}");
        get(ADMIN + "/invoice/versions")
                .answers(
                        200,
                        "{'versions':[{'version':7,'is_latest':true},{'version':2,'is_latest':false},{'version':1}]}");
        get(ADMIN).answers(200, "{'schemas':[{'type':'invoice','version':7,'versions':3}],'pagination':{'total':1}}");
        delete(ADMIN + "/invoice/7").answers(200, "{'deleted':true,'version':7}");
        get(ADMIN + "/invoice").answers(200, "{'version':2}");
        delete(ADMIN + "/invoice").answers(200, "{'deleted':true}");
        for (String gone : new String[] {"/invoice", "/invoice/2", "/invoice/versions"})
            get(ADMIN + gone).answers(404, "{'error':{'code':'not_found'}}");
        delete(ADMIN + "/invoice").answers(404);
        delete(ADMIN + "/invoice/1").answers(404);
    }

    @Test
    void versions_are_texts_and_schemas_have_uris_under_schemas() {
        post("/ojs/v1/schemas", "{\"uri\":\"urn:x:invoice\",\"type\":\"invoice\",\"version\":1,\"schema\":{}}")
                .answers(201, "{'schema':{'uri':'urn:x:invoice','type':'invoice','version':'1'}}");
        post("/ojs/v1/schemas", "{\"job_type\":\"invoice\",\"version\":\"1.1.0\",\"schema\":{}}")
                .answers(201, "{'schema':{'job_type':'invoice','version':'1.1.0'}}");
        get("/ojs/v1/schemas/urn%3Ax%3Ainvoice").answers(200, "{'schema':{'version':'1','schema':{}}}");
        get("/ojs/v1/schemas/invoice").answers(200, "{'schema':{'version':'1.1.0'}}");
        get("/ojs/v1/schemas/invoice/versions").answers(200, "{'versions':[{'version':'1.1.0','is_latest':true}]}");
        get("/ojs/v1/schemas?limit=1").answers(200, "{'schemas':[{'type':'invoice'}],'pagination':{'total':2}}");
        delete("/ojs/v1/schemas/urn%3Ax%3Ainvoice").answers(200, "{'deleted':true,'uri':'urn:x:invoice'}");
        get("/ojs/v1/schemas/urn%3Ax%3Ainvoice").answers(404);
        delete("/ojs/v1/schemas/invoice/1.1.0").answers(200, "{'deleted':true}");
        get("/ojs/v1/schemas/invoice").answers(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | schema",
                "{'schema':null} | schema",
                "{'schema':[]} | schema",
                "{'schema':{'type':'strin'}} | schema",
                "{'schema':{'$ref':'http://127.0.0.1:9/'}} | schema",
                "{'schema':{'pattern':'(?=a)'}} | schema",
                "{'schema':{},'version':'x'} | version",
                "{'schema':{},'version':3} | version",
                "{'schema':{},'uri':'no uri'} | uri",
                "{'schema':{},'type':'other'} | type",
                "{'schema':{},'compatibility':'SOME'} | compatibility",
                "{'schema':{},'compatible_with':['9']} | compatible_with",
                "{'schema':{},'subject':'s'} | subject",
            })
    void what_cannot_be_registered_names_its_field(String body, String field) {
        put("/invoice/2", body.replace('\'', '"'))
                .answers(400, "{'error':{'code':'invalid_request','details':{'field':'%s'}}}", field);
    }

    @Test
    void a_gateway_that_knows_no_other_registry_says_so() {
        put("/invoice/2", "{\"subject\":\"s\"}")
                .answers(422, "{'error':{'code':'unsupported','details':{'field':'subject'}}}");
    }

    @Test
    void an_empty_body_is_rejected() {
        send("PUT", ADMIN + "/invoice", "").answers(400);
        send("PUT", ADMIN + "/No%20type", "{\"schema\":{}}").answers(400);
    }

    @Test
    void a_breaking_change_needs_a_major_version() {
        put("/a/1.0.0", "{\"schema\":{\"type\":\"array\"}}").answers(201);
        Got breaking = put("/a/1.1.0", "{\"schema\":{\"type\":\"array\",\"maxItems\":1}}");
        breaking.answers(400, "{'error':{'code':'invalid_request'}}");
        assertThat(breaking.at("/error/details/breaking_changes/0").stringValue())
                .contains("maxItems");
        put("/a/2.0.0", "{\"schema\":{\"type\":\"array\",\"maxItems\":1},\"compatible_with\":[\"1.0.0\"]}")
                .answers(400);
        put("/a/2.0.0", "{\"schema\":{\"type\":\"array\",\"maxItems\":1},\"compatibility\":\"backward\"}")
                .answers(400);
        put("/a/2.0.0", "{\"args_schema\":{\"type\":\"array\",\"maxItems\":1}}").answers(201);
        put("/a/3", "{\"schema\":{\"type\":\"array\"},\"compatibility\":\"backward\"}")
                .answers(201, "{'compatibility':'BACKWARD'}");
        put("/a/4", "{\"schema\":{\"type\":\"array\",\"maxItems\":1}}").answers(400);
    }

    @Test
    void a_registration_that_was_overtaken_is_compared_again() {
        registry.overtaken = 2;
        put("/invoice", "{\"schema\":{}}").answers(201);
        registry.overtaken = 100;
        put("/invoice", "{\"schema\":{}}").answers(409);
    }

    // ---- the check

    @Test
    void a_job_that_names_its_schema_is_rejected_with_the_path() {
        register("1");
        Got got = enqueue(BAD, ",\"schema\":\"urn:ojs:schema:invoice:v1\"");
        got.answers(400, """
                {'error':{'code':'schema_validation','canonical_code':'SCHEMA_VALIDATION_FAILED','ojs_code':'OJS-1008',
                'retryable':false,'details':{'schema':'urn:ojs:schema:invoice:v1',
                'validation_errors':[{'path':'$.args[0].amount','schema_path':'#/prefixItems/0/properties/amount/type'}]}}}""");
        for (String name : new String[] {"invoice", "invoice@1", "urn:ojs:schema:invoice:v1.0"})
            enqueue(BAD, ",\"schema\":\"%s\"".formatted(name)).answers(400);
        assertThat(logs.sent()).noneMatch(sent -> sent.command() instanceof Enqueue);
        enqueue(GOOD, ",\"schema\":\"urn:ojs:schema:invoice:v1\"").answers(201);
    }

    @Test
    void the_producer_of_any_other_job_is_warned() {
        register("1");
        Got got = enqueue(BAD, "");
        got.answers(201);
        assertThat(got.at("/warnings/0").stringValue()).contains("$.args[0].amount");
        assertThat(enqueue(GOOD, "").json().has("warnings")).isFalse();
        assertThat(enqueue(GOOD, ",\"schema\":\"urn:other\"").at("/warnings/0").stringValue())
                .contains("not registered");
    }

    @ParameterizedTest
    @CsvSource({
        "off, '', 201, false", "off, 'invoice', 201, false",
        "warn, '', 201, true", "warn, 'invoice', 201, true",
        "reject, '', 400, false", "reject, 'urn:other', 400, false",
    })
    void the_queue_decides(String mode, String named, int status, boolean warns) {
        register("1");
        registry.mode = mode;
        Got got = enqueue(BAD, named.isEmpty() ? "" : ",\"schema\":\"%s\"".formatted(named));
        got.answers(status);
        assertThat(got.json().has("warnings")).isEqualTo(warns);
    }

    @Test
    void a_job_that_passes_asks_its_queue_nothing() {
        register("1");
        enqueue(GOOD, "").answers(201);
        assertThat(logs.sent()).noneMatch(sent -> sent.command() instanceof GetQueue);
    }

    @Test
    void the_schema_is_that_of_the_version_of_the_job() {
        registry.mode = "reject";
        register("1");
        put("/invoice/2", "{\"schema\":{\"prefixItems\":[{\"type\":\"string\"}]}}")
                .answers(201);
        enqueue(GOOD, ",\"version\":\"1.0\"").answers(201);
        enqueue(GOOD, "").answers(400);
        enqueue("[\"text\"]", "").answers(201);
        enqueue("[\"text\"]", ",\"version\":1").answers(400);
        enqueue("[5]", ",\"version\":\"3.0\"").answers(201);
    }

    @Test
    void a_batch_is_rejected_as_a_whole_and_names_the_job() {
        register("1");
        String bad = job(BAD, "");
        Got warned = post("/ojs/v1/jobs/batch", "{\"jobs\":[%s,%s]}".formatted(job(GOOD, ""), bad));
        warned.answers(201);
        assertThat(warned.at("/warnings/0").stringValue()).startsWith("Job 1 of the batch: ");
        registry.mode = "reject";
        post("/ojs/v1/jobs/batch", "{\"jobs\":[%s,%s]}".formatted(job(GOOD, ""), bad))
                .answers(400, "{'error':{'code':'schema_validation','details':{'index':1}}}");
        assertThat(logs.sent().stream().filter(sent -> sent.command() instanceof EnqueueBatch))
                .hasSize(1);
    }

    @Test
    void steps_of_workflows_and_templates_of_schedules_are_checked() {
        register("1");
        registry.mode = "reject";
        post("/ojs/v1/workflows", "{\"type\":\"chain\",\"steps\":[%s,%s]}".formatted(job(GOOD, ""), job(BAD, "")))
                .answers(400, "{'error':{'code':'schema_validation','details':{'index':1}}}");
        post("/ojs/v1/cron", "{\"name\":\"n\",\"expression\":\"@daily\",\"job_template\":%s}".formatted(job(BAD, "")))
                .answers(400, "{'error':{'code':'schema_validation'}}");
        assertThat(logs.sent())
                .noneMatch(sent -> sent.command() instanceof CreateWorkflow || sent.command() instanceof PutSchedule);
    }

    @Test
    void while_the_registry_does_not_answer_the_last_copy_is_used() {
        register("1");
        enqueue(GOOD, "").answers(201);
        logs.answer(command -> {
            if (command instanceof io.floodgate.topics.command.SchemaCommand) throw new AssertionError();
            return registry.answer(command);
        });
        enqueue(BAD, ",\"schema\":\"invoice\"").answers(400);
        logs.fail(new CommandNotSent("no broker", null));
        given.pass(Duration.ofMinutes(1));
        get(ADMIN + "/invoice").answers(503, "{'error':{'code':'BACKEND_UNAVAILABLE'}}");
    }
}
