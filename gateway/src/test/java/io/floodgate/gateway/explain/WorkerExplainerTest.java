package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Given.agoSeconds;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.event.OjsEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerExplainerTest {
    private static final String BEAT = "'last_heartbeat_at':'%s','state':'running','active_jobs':1";

    private static Finding verdict(WorkerCode code, Severity severity, String members) {
        return verdict(code, severity, members, WorkerSpeeds.NONE);
    }

    private static Finding verdict(WorkerCode code, Severity severity, String members, WorkerSpeeds speeds) {
        Facts worker = new Facts(Given.json("{'worker_id':'w1'," + members + "}"));
        Finding verdict = WorkerExplainer.explain(worker, Given.NOW, "ojs.commands/1", speeds)
                .verdict();
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
    void left() {
        Finding found = verdict(
                WorkerCode.LEFT, Severity.INFO, "'state':'left','last_heartbeat_at':'%s'".formatted(agoSeconds(60)));
        assertThat(found.title()).isEqualTo("Worker 'w1' has left");
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

    private static List<OjsEvent> runs(String worker, int runs, int millis) {
        List<OjsEvent> events = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            String data = "{'data':{'job_type':'email.send','worker_id':'%s','duration_ms':%d}}"
                    .formatted(worker, millis + i);
            byte[] json = data.replace('\'', '"').getBytes(UTF_8);
            events.add(
                    new OjsEvent(0, i, "e", "job.completed", agoSeconds(60), null, "email", "email.send", null, json));
        }
        return events;
    }

    private static WorkerSpeeds speeds(int own, int millis, int others) {
        List<OjsEvent> events = new ArrayList<>();
        for (int i = 2; i <= 5; i++) events.addAll(runs("w" + i, others, 100));
        events.addAll(runs("w1", own, millis));
        return WorkerSpeeds.of(events, Given.NOW);
    }

    @Test
    void slow() {
        String beats = BEAT.formatted(agoSeconds(1));
        Finding found = verdict(WorkerCode.SLOW, Severity.WARNING, beats, speeds(10, 300, 3));
        assertThat(found.title())
                .isEqualTo("Worker 'w1' is slow: runs of 'email.send' take 304 ms, at other workers 101 ms");
        assertThat(found.advice().getLast().action().body()).isEqualTo("{\"directive\":\"quiet\"}");
        verdict(WorkerCode.WORKING, Severity.OK, beats, speeds(9, 300, 3));
        verdict(WorkerCode.WORKING, Severity.OK, beats, speeds(10, 300, 2));
        verdict(WorkerCode.WORKING, Severity.OK, beats, speeds(10, 190, 3));
        assertThat(speeds(10, 300, 3).of("w2").isSlow()).isFalse();
        assertThat(WorkerSpeeds.of(runs("w1", 50, 300), Given.NOW).of("w1"))
                .as("alone, it cannot be compared")
                .isNull();
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
