package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Given.agoSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerExplainerTest {
    private static final String BEAT = "'last_heartbeat_at':'%s','state':'running','active_jobs':1";

    private static Finding verdict(WorkerCode code, Severity severity, String members) {
        Facts worker = new Facts(Given.json("{'worker_id':'w1'," + members + "}"));
        Finding verdict =
                WorkerExplainer.explain(worker, Given.NOW, "ojs.commands/1").verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    @Test
    void lost() {
        String lost = "'state':'stale','last_heartbeat_at':'%s'";
        assertThat(verdict(WorkerCode.LOST, Severity.PROBLEM, lost.formatted(agoSeconds(60)))
                        .title())
                .isEqualTo("Worker 'w1' is gone: its last heartbeat was 1 min ago");
        verdict(WorkerCode.LOST, Severity.INFO, lost.formatted(agoSeconds(600)));
    }

    @Test
    void silent() {
        Finding found = verdict(WorkerCode.SILENT, Severity.WARNING, BEAT.formatted(agoSeconds(11)));
        assertThat(found.text()).isEqualTo("It counts as lost in 19 s, and then its jobs are given to others.");
        verdict(WorkerCode.WORKING, Severity.OK, BEAT.formatted(agoSeconds(10)));
    }

    @Test
    void no_heartbeats() {
        verdict(WorkerCode.NO_HEARTBEATS, Severity.WARNING, "'state':'running','active_jobs':1");
        verdict(WorkerCode.NO_HEARTBEATS, Severity.INFO, "'state':'running','active_jobs':0");
    }

    @Test
    void terminating() {
        verdict(WorkerCode.TERMINATING, Severity.INFO, BEAT.formatted(agoSeconds(1)) + ",'directive':'terminate'");
    }

    @Test
    void quiet() {
        Finding found =
                verdict(WorkerCode.QUIET, Severity.INFO, BEAT.formatted(agoSeconds(1)) + ",'directive':'quiet'");
        assertThat(found.advice().getFirst().action().body()).isEqualTo("{\"directive\":\"resume\"}");
    }

    @Test
    void full() {
        verdict(WorkerCode.FULL, Severity.INFO, BEAT.formatted(agoSeconds(1)) + ",'concurrency':1");
    }

    @Test
    void working() {
        assertThat(verdict(WorkerCode.WORKING, Severity.OK, BEAT.formatted(agoSeconds(1)))
                        .title())
                .isEqualTo("Worker 'w1' runs 1 job");
    }

    @Test
    void idle() {
        verdict(
                WorkerCode.IDLE,
                Severity.OK,
                BEAT.formatted(agoSeconds(1)).replace("'active_jobs':1", "'active_jobs':0"));
    }

    @Test
    void unknown_worker() {
        assertThat(WorkerExplainer.unknown("x", Given.NOW, "ojs.commands/1")
                        .verdict()
                        .code())
                .isEqualTo(WorkerCode.UNKNOWN_WORKER);
    }
}
