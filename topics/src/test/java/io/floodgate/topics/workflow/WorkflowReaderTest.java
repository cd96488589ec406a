package io.floodgate.topics.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowReaderTest {
    private static final String JOB = "{'type':'a.b','args':[]}";

    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(UTF_8);
    }

    /** Each step as id, index of its parent, needs, and what it is. */
    private static List<String> read(String text) throws UnreadableWorkflow {
        WorkflowPlan plan = WorkflowReader.read(json(text));
        WorkflowPlan again = WorkflowReader.read(WorkflowJson.write(plan));
        assertThat(described(again)).as("written and read again").isEqualTo(described(plan));
        return described(plan);
    }

    private static List<String> described(WorkflowPlan plan) {
        return plan.steps().stream().map(WorkflowReaderTest::described).toList();
    }

    private static String described(WorkflowStep step) {
        String what = step.job() == null
                ? Objects.requireNonNull(step.shape()).wire()
                : step.job().type() + "@" + step.job().queue();
        String callback = step.callback() == null ? "" : " " + step.callback().wire();
        String condition = step.runIf() == RunIf.ALL_SUCCEEDED || step.callback() != null
                ? ""
                : " if " + step.runIf().wire();
        return "%s in %d needs %s: %s%s%s%s"
                .formatted(
                        step.id(),
                        step.parent(),
                        step.needs(),
                        what,
                        callback,
                        condition,
                        step.allowFailure() ? " may fail" : "");
    }

    private static Rejection rejected(String text) {
        return catchThrowableOfType(UnreadableWorkflow.class, () -> WorkflowReader.read(json(text)))
                .rejection();
    }

    // ---- the dialect of the specification

    @Test
    void a_chain_runs_one_step_after_the_other() throws UnreadableWorkflow {
        assertThat(read(
                        "{'type':'chain','name':'order','steps':[{'type':'order.validate','args':[1],'options':{'queue':'orders'}},"
                                + "{'type':'payment.charge','args':[]},{'type':'mail.send','args':[]}]}"))
                .containsExactly(
                        " in -1 needs []: chain",
                        "0 in 0 needs []: order.validate@orders",
                        "1 in 0 needs [1]: payment.charge@default",
                        "2 in 0 needs [2]: mail.send@default");
    }

    @Test
    void a_batch_has_callbacks() throws UnreadableWorkflow {
        assertThat(
                        read(
                                "{'type':'batch','jobs':[" + JOB + "," + JOB
                                        + "],'callbacks':{'on_failure':{'type':'b.alert','args':[]},'on_complete':{'type':'b.report','args':[]}}}"))
                .containsExactly(
                        " in -1 needs []: batch",
                        "0 in 0 needs []: a.b@default",
                        "1 in 0 needs []: a.b@default",
                        "on_failure in 0 needs []: b.alert@default on_failure",
                        "on_complete in 0 needs []: b.report@default on_complete");
    }

    @Test
    void workflows_stand_inside_of_each_other() throws UnreadableWorkflow {
        assertThat(read("{'type':'chain','steps':[" + JOB + ",{'type':'group','id':'wf_inner','jobs':[" + JOB
                        + ",{'type':'chain','steps':[" + JOB + "," + JOB + "]}]}," + JOB + "]}"))
                .containsExactly(
                        " in -1 needs []: chain",
                        "0 in 0 needs []: a.b@default",
                        "wf_inner in 0 needs [1]: group",
                        "0 in 2 needs []: a.b@default",
                        "1 in 2 needs []: chain",
                        "0 in 4 needs []: a.b@default",
                        "1 in 4 needs [5]: a.b@default",
                        "2 in 0 needs [2]: a.b@default");
    }

    /** As the JavaScript SDK nests them, with the options of retries in camel case. */
    @Test
    void reads_what_the_javascript_sdk_sends() throws UnreadableWorkflow {
        String body = "{'type':'chain','name':'etl','steps':[{'type':'data.fetch','args':[{'url':'x'}],"
                + "'options':{'queue':'etl','retry':{'maxAttempts':7,'initialInterval':'PT2S','backoffCoefficient':3}}},"
                + "{'type':'batch','jobs':[{'type':'part.load','args':[1]}],'callbacks':{'on_success':{'type':'part.done','args':[]}}}]}";
        assertThat(read(body))
                .containsExactly(
                        " in -1 needs []: chain",
                        "0 in 0 needs []: data.fetch@etl",
                        "1 in 0 needs [1]: batch",
                        "0 in 2 needs []: part.load@default",
                        "on_success in 2 needs []: part.done@default on_success");
        var job = WorkflowReader.read(json(body)).jobs().getFirst();
        assertThat(job.terms()
                        .retry()
                        .over(io.floodgate.topics.retry.RetryPolicy.DEFAULT)
                        .maxAttempts())
                .isEqualTo(7);
    }

    // ---- steps that say what they depend on

    /** As the Go SDK sends a batch: taken for steps, on-failure would run after a success. */
    @Test
    void reads_what_the_go_sdk_sends() throws UnreadableWorkflow {
        assertThat(
                        read(
                                "{'name':'bulk','steps':[{'id':'job-0','type':'email.send','args':[1]},{'id':'job-1','type':'email.send','args':[2]},"
                                        + "{'id':'on-complete','type':'batch.report','args':[],'depends_on':['job-0','job-1']},"
                                        + "{'id':'on-failure','type':'batch.alert','args':[],'depends_on':['job-0','job-1']}]}"))
                .containsExactly(
                        " in -1 needs []: dag",
                        "job-0 in 0 needs []: email.send@default",
                        "job-1 in 0 needs []: email.send@default",
                        "on-complete in 0 needs []: batch.report@default on_complete",
                        "on-failure in 0 needs []: batch.alert@default on_failure");
    }

    /** As the Java and Python SDKs send a batch, and a chain whose first step says nothing of what it depends on. */
    @Test
    void reads_what_the_java_and_python_sdks_send() throws UnreadableWorkflow {
        assertThat(
                        read(
                                "{'name':'bulk','options':{'queue':'mail'},'steps':[{'id':'0','type':'email.send','args':[1],'depends_on':[]},"
                                        + "{'id':'last','type':'batch.done','args':[],'depends_on':['0'],'options':{'callback_type':'on_success','queue':'done'}}]}"))
                .containsExactly(
                        " in -1 needs []: dag",
                        "0 in 0 needs []: email.send@mail",
                        "last in 0 needs []: batch.done@done on_success");
        assertThat(
                        read(
                                "{'name':'chain','steps':[{'id':'step-0','type':'a.b','args':[]},{'id':'step-1','type':'a.b','args':[],'depends_on':['step-0']}]}"))
                .containsExactly(
                        " in -1 needs []: dag",
                        "step-0 in 0 needs []: a.b@default",
                        "step-1 in 0 needs [1]: a.b@default");
    }

    @Test
    void a_step_with_the_name_of_a_callback_is_a_step_unless_it_follows_from_all_others() throws UnreadableWorkflow {
        assertThat(
                        read(
                                "{'steps':[{'id':'a','type':'a.b','args':[]},{'id':'b','type':'a.b','args':[]},{'id':'on_success','type':'a.b','args':[],'depends_on':['a']}]}"))
                .contains("on_success in 0 needs [1]: a.b@default");
    }

    @Test
    void a_diamond_with_conditions() throws UnreadableWorkflow {
        assertThat(
                        read(
                                "{'steps':[{'id':'a','type':'a.b','args':[],'allow_failure':true},{'id':'b','type':'a.b','args':[],'needs':['a']},"
                                        + "{'id':'c','type':'a.b','args':[],'depends_on':['a'],'run_if':'any_failed'},{'id':'d','type':'a.b','args':[],'depends_on':['b','c'],'run_if':'all_done'}]}"))
                .containsExactly(
                        " in -1 needs []: dag",
                        "a in 0 needs []: a.b@default may fail",
                        "b in 0 needs [1]: a.b@default",
                        "c in 0 needs [1]: a.b@default if any_failed",
                        "d in 0 needs [2, 3]: a.b@default if all_done");
    }

    @Test
    void what_the_workflow_says_as_a_whole() throws UnreadableWorkflow {
        WorkflowPlan plan = WorkflowReader.read(json(
                "{'id':'wf_01939a40-0000-7000-8000-000000000001','name':'n','timeout':'PT1H','retention':'P2D','on_failure':'fail_fast','steps':["
                        + JOB + "]}"));
        assertThat(plan.id()).hasToString("01939a40-0000-7000-8000-000000000001");
        assertThat(plan.timeout()).isEqualTo(Duration.ofHours(1));
        assertThat(plan.retention()).isEqualTo(Duration.ofDays(2));
        assertThat(plan.failFast()).isTrue();
        WorkflowPlan again = WorkflowReader.read(WorkflowJson.write(plan));
        assertThat(again.timeout()).isEqualTo(plan.timeout());
        assertThat(again.retention()).isEqualTo(plan.retention());
        assertThat(again.id()).isEqualTo(plan.id());
        assertThat(again.failFast()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'chain','steps':[{'wait_for':{'event':'payment','key':'order-17','timeout':'PT1H'}},J]}",
                "{'steps':[J,{'id':'w','depends_on':['0'],'wait_for':{'event':'ok'}},"
                        + "{'id':'x','depends_on':['w'],'type':'a.b','args':[],'run_if':{'ended':'timed_out'}}]}",
                "{'steps':[J,{'id':'x','depends_on':['0'],'type':'a.b','args':[],'run_if':{'at':'/a/0','not_equals':null}}]}",
                "{'type':'chain','steps':[J,{'type':'a.b','for_each':{'at':'/items','max':7}}]}",
                "{'type':'batch','jobs':[J],'callbacks':{'on_first_failure':J}}"
            })
    void waits_conditions_and_lists_are_read_as_they_were_written(String body) throws UnreadableWorkflow {
        WorkflowPlan plan = WorkflowReader.read(json(body.replace("J", JOB)));
        WorkflowPlan again = WorkflowReader.read(WorkflowJson.write(plan));
        assertThat(again.steps().stream().map(WorkflowReaderTest::clauses).toList())
                .isEqualTo(
                        plan.steps().stream().map(WorkflowReaderTest::clauses).toList());
        assertThat(plan.steps().stream().map(WorkflowReaderTest::clauses).toList())
                .as("something is said")
                .isNotEqualTo(Collections.nCopies(plan.steps().size(), "null null null null"));
    }

    @Test
    void of_a_job_for_each_element_the_arguments_are_not_known_yet() throws UnreadableWorkflow {
        WorkflowPlan plan = WorkflowReader.read(
                json("{'type':'chain','steps':[" + JOB + ",{'type':'x.y','queue':'q','for_each':{}}]}"));
        assertThat(plan.queues()).contains("q");
        assertThat(plan.wholeJobs()).singleElement().extracting(Envelope::type).isEqualTo("a.b");
    }

    private static String clauses(WorkflowStep step) {
        return "%s %s %s %s".formatted(step.signal(), step.condition(), step.forEach(), step.callback());
    }

    @Test
    void steps_keep_their_own_times_and_fields() throws UnreadableWorkflow {
        WorkflowPlan plan = WorkflowReader.read(
                json(
                        "{'type':'chain','options':{'priority':5},'steps':[{'type':'a.b','args':[],'delay':'PT5S','x_own':1,'parent_results':[9],'workflow_id':'x'}]}"));
        var job = WorkflowReader.read(WorkflowJson.write(plan)).jobs().getFirst();
        assertThat(job.priority()).isEqualTo(5);
        assertThat(job.terms().scheduledAt()).hasToString("When[at=null, after=PT5S]");
        assertThat(new String(job.members(), UTF_8))
                .contains("\"x_own\":1")
                .doesNotContain("parent_results", "workflow_id");
    }

    // ---- what is no workflow

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'type':'chain'}                                            | $.steps              | must be an array of steps
            {'type':'chain','steps':[]}                                 | $.steps              | must contain at least one element
            {'type':'group','jobs':[]}                                  | $.jobs               | must contain at least one element
            {'steps':[7]}                                               | $.steps[0]           | must be an object
            {'type':'tree','steps':[J]}                                 | $.type               | must be chain, group, batch or dag
            {'type':'batch','jobs':[J]}                                 | $.callbacks          | must have at least one of
            {'type':'batch','jobs':[J],'callbacks':{'on_start':J}}      | $.callbacks.on_start | must be on_complete, on_success, on_failure
            {'type':'group','jobs':[J],'callbacks':{'on_success':J}}    | $.callbacks          | use a batch
            {'type':'chain','steps':[{'type':'a.b','args':[],'depends_on':['x']}]} | $.steps[0].depends_on | its order is known
            {'steps':[{'id':'a','type':'a.b','args':[],'depends_on':['b']}]} | $.steps[0].depends_on[0] | there is no step 'b'
            {'steps':[{'id':'a','type':'a.b','args':[],'depends_on':['a']}]} | $.steps[0].depends_on[0] | cannot need itself
            {'steps':[{'id':'a','type':'a.b','args':[]},{'id':'a','type':'a.b','args':[]}]} | $.steps[1].id | is the id of $.steps[0], too
            {'steps':[{'id':'a','type':'a.b','args':[],'depends_on':['b']},{'id':'b','type':'a.b','args':[],'depends_on':['a']}]} | $.steps[0].depends_on | is a cycle: a needs b needs a
            {'steps':[{'id':'n.c','type':'a.b','args':[]},{'id':'n','type':'group','jobs':[{'id':'c','type':'a.b','args':[]}]}]} | $ | has two steps with the name 'n.c'
            {'type':'chain','steps':[{'type':'a.b'}]}                   | $.steps[0]           | The 'args' field is required
            {'type':'chain','steps':[{'type':'A B','args':[]}]}         | $.steps[0]           | 'type' field
            {'type':'chain','steps':[{'type':'a.b','args':[],'unique':{}}]} | $.steps[0].unique | cannot be unique
            {'type':'chain','steps':[{'type':'a.b','args':[],'pending':true}]} | $.steps[0].pending | cannot be pending
            {'steps':[{'type':'a.b','args':[],'run_if':'any_failed'}]}  | $.steps[0].run_if    | must need at least one
            {'steps':[{'type':'a.b','args':[],'run_if':'often'}]}       | $.steps[0].run_if    | must be all_succeeded
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{'step':'1','equals':1}}]} | $.steps[1].run_if.step | is not a step that this one needs
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{}}]} | $.steps[1].run_if | must have 'ended'
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{'equal':1}}]} | $.steps[1].run_if.equal | There is no such field
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{'ended':'timed_out'}}]} | $.steps[1].run_if.ended | only of a step with 'wait_for'
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{'at':'x','equals':1}}]} | $.steps[1].run_if.at | must be a JSON pointer
            {'steps':[J,{'depends_on':['0'],'type':'a.b','args':[],'run_if':{'equals':1,'not_equals':2}}]} | $.steps[1].run_if | has both
            {'type':'chain','steps':[{'wait_for':'x'},J]}               | $.steps[0].wait_for  | must be an object
            {'type':'chain','steps':[{'wait_for':{}},J]}                | $.steps[0].wait_for.event | must be 1 to 128 letters
            {'type':'chain','steps':[{'wait_for':{'event':'a/b'}},J]}   | $.steps[0].wait_for.event | must be 1 to 128 letters
            {'type':'chain','steps':[{'wait_for':{'event':'a','key':''}},J]} | $.steps[0].wait_for.key | must be a text
            {'type':'chain','steps':[{'wait_for':{'event':'a','timeout':0}},J]} | $.steps[0].wait_for.timeout | must be seconds
            {'type':'chain','steps':[{'wait_for':{'event':'a'},'type':'a.b','args':[]},J]} | $.steps[0].args | has no job
            {'type':'chain','steps':[{'wait_for':{'event':'a'}}]}       | $                    | at least one step with a job
            {'type':'batch','jobs':[J],'callbacks':{'on_success':{'wait_for':{'event':'a'}}}} | $.callbacks.on_success.wait_for | cannot be said of a callback
            {'type':'chain','steps':[J,{'type':'a.b','for_each':[]}]}   | $.steps[1].for_each  | must be an object
            {'type':'chain','steps':[J,{'type':'a.b','for_each':{'max':5000}}]} | $.steps[1].for_each.max | from 1 to 1000
            {'type':'group','jobs':[J,{'type':'a.b','for_each':{}}]}    | $.jobs[1].for_each.step | must name a step that this one needs
            {'type':'chain','id':'a/b','steps':[J]}                     | $.id                 | must be a UUIDv7, or 1 to 128 letters
            {'type':'chain','timeout':'soon','steps':[J]}               | $.timeout            | must be seconds
            {'type':'chain','retention':'P365D','steps':[J]}            | $.retention          | must not be longer
            {'type':'chain','on_failure':'panic','steps':[J]}           | $.on_failure         | must be continue or fail_fast
            """)
    void says_what_is_wrong_and_where(String body, String path, String message) {
        Rejection rejection = rejected(body.replace("J", JOB));
        assertThat(rejection.code()).isEqualTo(ErrorCode.INVALID_WORKFLOW);
        String errors = rejection.details().getFirst().json();
        assertThat(errors).contains("{\"path\":\"" + path + "\"").contains(message);
    }

    @Test
    void says_all_that_is_wrong_and_stays_short() {
        Rejection rejection = rejected("{'type':'group','jobs':[" + "{},".repeat(50) + "{}]}");
        assertThat(rejection.message()).contains("And 50 more");
        assertThat(rejection).isEqualTo(rejection.shortened());
    }

    @Test
    void steps_of_two_tenants_are_no_workflow() {
        assertThat(rejected(
                                "{'type':'group','jobs':[{'type':'a.b','args':[],'meta':{'tenant_id':'x'}},{'type':'a.b','args':[],'meta':{'tenant_id':'y'}}]}")
                        .message())
                .contains("is of tenant 'y', and the first job is of 'x'");
    }

    @Test
    void a_saga_is_not_offered() {
        assertThat(rejected("{'type':'saga','steps':[]}").code()).isEqualTo(ErrorCode.UNSUPPORTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "7"})
    void what_is_no_object_is_rejected(String body) {
        assertThat(rejected(body).code()).isEqualTo(ErrorCode.INVALID_PAYLOAD);
    }

    // ---- bounds

    @Test
    void levels_are_bounded() throws UnreadableWorkflow {
        assertThat(read(nested(5))).hasSize(6);
        assertThat(rejected(nested(6)).message()).contains("at most 5 levels");
    }

    private static String nested(int levels) {
        return "{'type':'group','jobs':[".repeat(levels) + JOB + "]}".repeat(levels);
    }

    @Test
    void steps_and_dependencies_are_bounded() throws UnreadableWorkflow {
        assertThat(read("{'type':'group','jobs':[" + (JOB + ",").repeat(9_999) + JOB + "]}"))
                .hasSize(10_001);
        assertThat(rejected("{'type':'group','jobs':[" + (JOB + ",").repeat(10_000) + JOB + "]}")
                        .message())
                .contains("more than 10000 steps");
        StringBuilder many = new StringBuilder("{'steps':[");
        for (int i = 0; i < 450; i++) {
            many.append("{'id':'s%d','type':'a.b','args':[],'depends_on':[".formatted(i));
            for (int j = 0; j < i; j++) many.append(j == 0 ? "" : ",").append("'s%d'".formatted(j));
            many.append("]}").append(i == 449 ? "" : ",");
        }
        assertThat(rejected(many.append("]}").toString()).message()).contains("more than 100000 dependencies");
    }

    @Test
    void steps_that_are_added_may_need_those_that_a_workflow_has() throws Exception {
        String body = "{'steps':[{'id':'a','type':'t','args':[],'depends_on':['before','b','before']},"
                + "{'id':'b','type':'t','args':[]}]}";
        WorkflowPlan plan = WorkflowReader.readAdded(json(body), (job, place) -> job);

        assertThat(plan.steps().get(1).needs()).containsExactly(2);
        assertThat(plan.steps().get(1).outside()).containsExactly("before");
        WorkflowPlan again = WorkflowReader.readAdded(WorkflowJson.write(plan), (job, place) -> job);
        assertThat(again.steps().get(1).outside()).containsExactly("before");
        assertThat(again.steps().get(1).needs()).containsExactly(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'id':'a.b','type':'t','args':[]} | $.steps[0].id",
                "{'type':'t','args':[]} | $.steps[0].id",
                "{'id':'a','type':'chain','steps':[{'type':'t','args':[]}]} | $.steps[0]",
                "{'id':'a','type':'t','args':[],'depends_on':['a']} | $.steps[0].depends_on[0]",
                "{'id':'a','type':'t','for_each':{'step':'b'},'depends_on':['b']} | $.steps[0].for_each",
                "{'id':'a','type':'t','args':[],'run_if':{'step':'b','ended':'failed'},'depends_on':['b']} | $.steps[0].run_if",
                "{'id':'a','type':'t','args':[],'run_if':'any_failed'} | $.steps[0].run_if"
            })
    void a_fault_of_a_step_that_is_added_is_said_with_its_path(String step, String path) {
        var unreadable = catchThrowableOfType(
                UnreadableWorkflow.class,
                () -> WorkflowReader.readAdded(json("{'steps':[" + step + "]}"), (job, place) -> job));
        assertThat(unreadable.rejection().toString()).contains(path);
    }
}
