package io.floodgate.gateway.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkflowRoutesTest extends GatewayFixture {
    private static final String ID = "01939a40-0000-7000-8000-000000000001";
    private static final String PATH = "/ojs/v1/workflows/" + ID;
    private static final String HEAD = "{\"id\":\"" + ID
            + "\",\"type\":\"chain\",\"state\":\"running\",\"jobs_total\":2,\"entries_total\":2,\"tenant_id\":\"_default\",\"metadata\":{\"completed_count\":1,\"failed_count\":0,\"cancelled_count\":0}}";
    private static final String ENDED = HEAD.replace("running", "completed");
    private static final String FIRST =
            "\n{\"index\":0,\"id\":\"0\",\"type\":\"a.b\",\"state\":\"completed\",\"job_id\":null,\"depends_on\":[],\"result\":{\"n\":1}}";
    private static final String SECOND =
            "\n{\"index\":1,\"id\":\"1\",\"type\":\"a.b\",\"state\":\"waiting\",\"job_id\":null,\"depends_on\":[\"0\"],\"waits\":{\"reason\":\"waits_for\",\"steps\":[\"0\"]}}";
    private static final String CHAIN =
            "{\"type\":\"chain\",\"steps\":[{\"type\":\"a.b\",\"args\":[]},{\"type\":\"a.b\",\"args\":[]}]}";

    @Test
    void creates() {
        logs.answer(HEAD + FIRST + SECOND);
        Got got = post("/ojs/v1/workflows", CHAIN);
        got.answers(201);
        assertThat(got.header("Location")).startsWith("/ojs/v1/workflows/");
        got.answers("{'workflow':{'id':'%s','steps':[{},{'waits':{'reason':'waits_for'}}]},'state':'running'}", ID);
        String sent = new String(logs.theCommand(CreateWorkflow.class).workflow(), StandardCharsets.UTF_8);
        assertThat(sent).contains("\"type\":\"chain\"", "\"id\":");
    }

    @Test
    void rejects_what_is_no_workflow_before_anything_is_sent() {
        Got got = post("/ojs/v1/workflows", "{\"type\":\"chain\",\"steps\":[]}");
        got.answers(400, "{'error':{'code':'invalid_workflow','details':{'validation_errors':[{'path':'$.steps'}]}}}");
        post("/ojs/v1/workflows", "{\"type\":\"saga\"}").answers(422);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void shows_and_lays_out() {
        logs.answer(HEAD + FIRST + SECOND);
        get(PATH + "?layout=true").answers("{'steps':[{'result':{'n':1}}],'layout':{'layers':[{},['1']]}}");
        assertThat(logs.theCommand(GetWorkflow.class).workflow()).hasToString(ID);
    }

    @Test
    void shows_progress_in_figures() {
        logs.answer(HEAD + FIRST + SECOND);
        get(PATH + "/progress").answers("{'percent':50,'progress':0.5,'type':'chain','waiting':1}");
    }

    @Test
    void shows_results() {
        logs.answer(HEAD + FIRST + SECOND);
        Got got = get(PATH + "/results");
        assertThat(got.at("/results").size()).isEqualTo(1);
        assertThat(got.at("/results/0/result/n").asInt()).isEqualTo(1);
    }

    @Test
    void waits_for_the_end() {
        AtomicInteger asked = new AtomicInteger();
        logs.answer(command -> FakePartitions.done(asked.getAndIncrement() == 0 ? HEAD : ENDED));
        get(PATH + "?wait=30").answers("{'state':'completed'}");
        assertThat(asked).hasValue(3);
        logs.reset().answer(HEAD);
        get(PATH + "/results?wait=PT0.01S").answers(408, "{'error':{'details':{'state':'running'}}}");
        get(PATH + "?wait=soon").answers(400, "{'error':{'details':{'field':'wait'}}}");
    }

    @Test
    void shows_the_result_that_a_reference_leads_to() {
        logs.answer(HEAD + FIRST);
        get(PATH + "/results/1").answers("{'result':{'n':1},'step':'0'}");
        assertThat(logs.theCommand(GetWorkflow.class).from()).isEqualTo(1);
        logs.reset().answer(HEAD + SECOND);
        for (String none : List.of("2", "0", "x"))
            get(PATH + "/results/" + none).answers(404);
    }

    @Test
    void shows_the_error_that_a_reference_leads_to() {
        logs.answer(HEAD + "\n{\"id\":\"0\",\"index\":0,\"state\":\"failed\",\"error\":{\"code\":\"boom\"}}");
        assertThat(get(PATH + "/results/1").at("/error/code").asString()).isEqualTo("boom");
        get(PATH + "/results").answers("{'results':[{'error':{'code':'boom'}}]}");
    }

    @Test
    void counts_workflows_that_are_not_on_the_page() {
        logs.answer("{\"running\":0,\"next\":\"%s\",\"unshown\":6}\n{\"id\":\"%s\"}".formatted(ID, ID));
        int partitions = logs.routing().logs().size();
        assertThat(get("/ojs/v1/workflows?per_page=1").at("/pagination/total").asInt())
                .isEqualTo(7 * partitions);
    }

    @Test
    void rejects_filters_that_it_does_not_know() {
        for (String filter : List.of("type=chain", "queue=a", "created_after=2026-01-01T00:00:00Z", "sort=name")) {
            Got got = get("/ojs/v1/workflows?" + filter);
            got.answers(400);
            assertThat(got.at("/error/details/field").asString()).isEqualTo(filter.split("=", 2)[0]);
        }
        get("/ojs/v1/jobs?workflow_id=" + ID).answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void shows_steps_by_state() {
        logs.answer(HEAD + FIRST + SECOND);
        Got got = get(PATH + "/steps?state=waiting");
        assertThat(got.at("/steps").size()).isEqualTo(1);
        assertThat(got.at("/pagination/total").asInt()).isEqualTo(2);
    }

    @Test
    void says_where_the_steps_are_that_an_answer_has_no_room_for() {
        logs.answer(HEAD.replace("\"entries_total\":2", "\"entries_total\":1500,\"next_step\":1001") + FIRST + SECOND);
        Got got = get(PATH);
        assertThat(got.at("/workflow/steps_omitted").asInt()).isEqualTo(1_498);
        assertThat(got.at("/workflow/steps_href").asString()).isEqualTo(PATH + "/steps?offset=1000&limit=1000");
        assertThat(get(PATH + "/progress").at("/steps_omitted").asInt()).isEqualTo(1_498);
        logs.reset().answer(HEAD + FIRST + SECOND);
        assertThat(get(PATH).at("/workflow/steps_omitted").isMissingNode()).isTrue();
    }

    @Test
    void a_page_of_steps_does_not_repeat_the_callbacks() {
        logs.answer(HEAD + FIRST + SECOND);
        Got got = get(PATH + "/steps?limit=1");
        assertThat(got.at("/steps").size()).isEqualTo(1);
        got.answers("{'pagination':{'total':2,'has_more':true}}");
        get(PATH + "/results?limit=1").answers("{'pagination':{'total':2}}");
    }

    @Test
    void cancels() {
        logs.answer(HEAD);
        assertThat(delete(PATH).at("/workflow/id").asString()).isEqualTo(ID);
        assertThat(logs.theCommand(CancelWorkflow.class).activeToo()).isFalse();
    }

    @Test
    void retries() {
        logs.answer(HEAD + FIRST + SECOND);
        post(PATH + "/retry", "{\"steps\":[\"1\"]}").answers(200);
        assertThat(logs.theCommand(RetryWorkflow.class).steps()).containsExactly("1");
    }

    @Test
    void adds_jobs_to_a_batch() {
        logs.answer(HEAD + FIRST);
        Got got =
                post(PATH + "/jobs", "{\"jobs\":[{\"type\":\"a.b\",\"args\":[],\"queue\":\"q\"}],\"if_jobs_total\":2}");
        got.answers(201);
        AddJobs command = logs.theCommand(AddJobs.class);
        assertThat(command.total()).isEqualTo(2L);
        assertThat(new String(command.jobs(), UTF_8)).startsWith("{\"type\":\"group\",\"jobs\":[{\"id\":\"0\"");
    }

    @Test
    void adds_steps_to_a_graph() {
        logs.answer(HEAD + FIRST);
        post(PATH + "/jobs", "{\"steps\":[{\"id\":\"x\",\"type\":\"a.b\",\"args\":[],\"depends_on\":[\"before\"]}]}")
                .answers(201);
        assertThat(new String(logs.theCommand(AddJobs.class).jobs(), UTF_8))
                .startsWith("{\"type\":\"dag\",\"steps\":[{\"id\":\"x\",\"depends_on\":[\"before\"]");
    }

    @Test
    void what_adds_no_jobs_is_rejected() {
        for (String body : new String[] {
            "{}",
            "{\"jobs\":[]}",
            "{\"jobs\":7}",
            "{\"jobs\":[{\"args\":[]}]}",
            "{\"jobs\":[],\"if_jobs_total\":-1}",
            "{\"steps\":[{\"type\":\"t\",\"args\":[]}]}",
            "{\"steps\":[],\"jobs\":[{\"type\":\"t\",\"args\":[]}]}",
            "[1"
        }) assertThat(post(PATH + "/jobs", body).status()).as(body).isEqualTo(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void explains() {
        logs.answer(HEAD + FIRST + SECOND);
        assertThat(get(PATH + "/explain").at("/verdict/code").asString()).isEqualTo("steps_waiting");
    }

    @Test
    void what_cannot_be_an_id_names_no_workflow() {
        get("/ojs/v1/workflows/night%20ly").answers(404);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void an_id_that_is_no_uuid_leads_to_the_partition_of_its_hash() {
        logs.answer(HEAD.replace(ID, "nightly") + FIRST);
        get("/ojs/v1/workflows/nightly").answers("{'workflow':{'id':'nightly'}}");
        JobId key = WorkflowId.parse("nightly").orElseThrow().key();
        assertThat(logs.theCommand(GetWorkflow.class).workflow()).isEqualTo(key);
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofJob(key));
        Got got = post(
                "/ojs/v1/workflows", CHAIN.replace("{\"type\":\"chain\"", "{\"id\":\"nightly\",\"type\":\"chain\""));
        assertThat(got.header("Location")).isEqualTo("/ojs/v1/workflows/nightly");
    }

    @Test
    void a_workflow_that_is_not_there_is_named_as_the_caller_did() {
        logs.reject(Rejection.notFound("workflow", "its key"));
        get("/ojs/v1/workflows/nightly").answers(404, "{'error':{'details':{'resource_id':'nightly'}}}");
    }

    @Test
    void workflows_whose_ids_are_no_uuids_stand_behind_all_others() {
        logs.answer("{\"running\":0}\n{\"id\":\"zz\"}\n{\"id\":\"%s\"}".formatted(ID));
        Got got = get("/ojs/v1/workflows?per_page=1");
        got.answers("{'workflows':[{'id':'%s'}],'pagination':{'next_cursor':'%s'}}", ID, ID);
    }
}
