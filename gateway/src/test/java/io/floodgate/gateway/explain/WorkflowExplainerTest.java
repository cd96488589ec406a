package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkflowExplainerTest {
    private static final String ID = "01939a40-0000-7000-8000-000000000001";

    private static Explanation explain(String members, String... steps) {
        List<Facts> all =
                Stream.of(steps).map(step -> new Facts(Given.json(step))).toList();
        String workflow = "{'id':'%s','type':'chain','jobs_total':3,%s}".formatted(ID, members);
        return WorkflowExplainer.explain(new Facts(Given.json(workflow)), all, Given.NOW, "ojs.commands/1");
    }

    private static Finding verdict(WorkflowCode code, Severity severity, String members, String... steps) {
        Finding verdict = explain(members, steps).verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    private static Finding waiting(WorkflowCode code, Severity severity, String waits) {
        String step = "{'id':'1','type':'a.b','state':'pending','waits':{%s}}".formatted(waits);
        return verdict(code, severity, "'state':'running'", step);
    }

    @Test
    void failed() {
        Finding found = verdict(
                WorkflowCode.FAILED,
                Severity.PROBLEM,
                "'state':'failed','errors':[{'step':'1','code':'handler_error','message':'it broke','job_id':'j'}]");
        assertThat(found.title()).isEqualTo("The workflow has failed: step '1' did (handler_error)");
        assertThat(found.text()).isEqualTo("it broke");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/workflows/" + ID + "/retry");
        assertThat(verdict(
                                WorkflowCode.FAILED,
                                Severity.PROBLEM,
                                "'state':'failed','errors':[{'code':'timeout','message':'too long'}]")
                        .title())
                .isEqualTo("The workflow has failed: timeout");
    }

    @Test
    void step_silent() {
        waiting(WorkflowCode.STEP_SILENT, Severity.PROBLEM, "'reason':'log_silent','queue':'q'");
        assertThat(explain("'state':'running'", "{'id':'1','waits':{'reason':'log_silent'}}")
                        .notKnown())
                .hasSize(1);
    }

    @Test
    void steps_that_are_stuck_are_a_problem() {
        String step = "{'id':'1','type':'a.b','state':'pending','waits':{%s}}";
        String available = step.formatted("'reason':'available','queue':'q'");
        String stuck = "'state':'running','progress_at':'%s'".formatted(Given.agoSeconds(600));
        Finding found = verdict(WorkflowCode.STEPS_AVAILABLE, Severity.PROBLEM, stuck, available);
        assertThat(found.since()).isEqualTo(Given.NOW.minusSeconds(600));
        String recent = "'state':'running','progress_at':'%s'".formatted(Given.agoSeconds(599));
        verdict(WorkflowCode.STEPS_AVAILABLE, Severity.INFO, recent, available);
        String runs = step.formatted("'reason':'active','worker_id':'w'");
        verdict(WorkflowCode.STEPS_AVAILABLE, Severity.INFO, stuck, available, runs);
        verdict(
                WorkflowCode.STEPS_LIMITED,
                Severity.PROBLEM,
                stuck,
                step.formatted("'reason':'rate_limited','key':'k'"));
        verdict(
                WorkflowCode.STEPS_WITHOUT_ROOM,
                Severity.PROBLEM,
                stuck,
                step.formatted("'reason':'no_room','queue':'q'"));
    }

    @Test
    void step_failed() {
        Finding found = verdict(WorkflowCode.STEP_FAILED, Severity.WARNING, "'state':'running','jobs_failed':1");
        assertThat(found.title()).isEqualTo("1 of 3 jobs have failed");
    }

    @Test
    void steps_in_paused_queue() {
        Finding found =
                waiting(WorkflowCode.STEPS_IN_PAUSED_QUEUE, Severity.WARNING, "'reason':'queue_paused','queue':'mail'");
        assertThat(found.title()).isEqualTo("In a paused queue: step '1'");
        assertThat(found.advice().getFirst().action().path()).isEqualTo("/ojs/v1/queues/mail/resume");
    }

    @Test
    void steps_without_room() {
        Finding found = verdict(
                WorkflowCode.STEPS_WITHOUT_ROOM,
                Severity.WARNING,
                "'state':'running'",
                "{'id':'1','waits':{'reason':'no_room','queue':'mail'}}",
                "{'id':'2','waits':{'reason':'no_room','queue':'mail'}}");
        assertThat(found.title()).isEqualTo("Waiting for room in a queue: 2 steps");
        assertThat(found.text()).isEqualTo("The first are 1, 2. (queue: mail)");
        waiting(WorkflowCode.STEPS_WITHOUT_ROOM, Severity.WARNING, "'reason':'own_line_full','queue':'mail'");
    }

    @Test
    void steps_retrying() {
        waiting(WorkflowCode.STEPS_RETRYING, Severity.WARNING, "'reason':'retryable'");
    }

    @Test
    void steps_available() {
        waiting(WorkflowCode.STEPS_AVAILABLE, Severity.INFO, "'reason':'available','queue':'q'");
    }

    @Test
    void steps_limited() {
        waiting(WorkflowCode.STEPS_LIMITED, Severity.INFO, "'reason':'rate_limited','key':'api'");
    }

    @Test
    void steps_scheduled() {
        waiting(WorkflowCode.STEPS_SCHEDULED, Severity.INFO, "'reason':'scheduled'");
    }

    @Test
    void steps_running() {
        waiting(WorkflowCode.STEPS_RUNNING, Severity.INFO, "'reason':'active','worker_id':'w'");
    }

    @Test
    void steps_waiting_for_signal() {
        Finding found = waiting(
                WorkflowCode.STEPS_WAITING_FOR_SIGNAL,
                Severity.INFO,
                "'reason':'signal','event':'payment','key':'order-17','until':'2026-11-24T12:00:00Z'");
        Finding shown = explain(
                        "'state':'running'",
                        "{'id':'1','kind':'wait','type':'wait_for','waits':{'reason':'signal','event':'e','key':'k'}}",
                        "{'id':'2','waits':{'reason':'waits_for','steps':['1'],'steps_total':1}}")
                .verdict();
        assertThat(shown.code()).isEqualTo(WorkflowCode.STEPS_WAITING_FOR_SIGNAL);
        assertThat(found.text())
                .startsWith("Step '1' waits for 'payment' with key order-17 until ")
                .contains("12:00");
        assertThat(found.advice().getFirst().action())
                .hasToString(
                        "Action[id=signal.send, method=POST, path=/ojs/v1/signals, body={\"event\":\"payment\",\"key\":\"order-17\"}, effect=B]");
    }

    @Test
    void workflow_cancelled() {
        verdict(WorkflowCode.WORKFLOW_CANCELLED, Severity.OK, "'state':'cancelled'");
    }

    @Test
    void workflow_completed() {
        verdict(WorkflowCode.WORKFLOW_COMPLETED, Severity.OK, "'state':'completed'");
    }

    @Test
    void workflow_running() {
        verdict(WorkflowCode.WORKFLOW_RUNNING, Severity.OK, "'state':'running'");
    }

    @Test
    void steps_waiting() {
        String waits = "'reason':'waits_for','steps':[%s],'steps_total':%d";
        Finding found = waiting(WorkflowCode.STEPS_WAITING, Severity.INFO, waits.formatted("'0','a','b'", 300));
        assertThat(found.title()).isEqualTo("Waiting for other steps: step '1'");
        assertThat(found.text()).isEqualTo("Step '1' waits for 300 steps: 0, a and 298 more.");
        assertThat(waiting(WorkflowCode.STEPS_WAITING, Severity.INFO, waits.formatted("'0','a'", 2))
                        .text())
                .isEqualTo("Step '1' waits for 2 steps: 0, a.");
        assertThat(waiting(WorkflowCode.STEPS_WAITING, Severity.INFO, waits.formatted("'0'", 1))
                        .text())
                .isEqualTo("Step '1' waits for step '0'.");
    }

    @Test
    void steps_behind_those_that_were_asked_about_are_not_known() {
        assertThat(explain("'state':'running','next_step':1001", "{'id':'1','waits':{'reason':'active'}}")
                        .notKnown())
                .containsExactly("how the steps behind the first 1 stand");
    }

    @Test
    void unknown_workflow() {
        assertThat(WorkflowExplainer.unknown(ID, Given.NOW, "ojs.commands/1")
                        .verdict()
                        .code())
                .isEqualTo(WorkflowCode.UNKNOWN_WORKFLOW);
    }
}
