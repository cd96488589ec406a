package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
    private static final Duration VISIBILITY = Duration.ofSeconds(30);
    private static final String ALIVE = "{\"state\":\"running\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}";
    private static final Beat BEAT = new Beat("w", "{}".getBytes(UTF_8));
    private static final JobId A1 = JobId.make(Slot.of("a"), 1, 1);
    private static final JobId A2 = JobId.make(Slot.of("a"), 2, 2);
    private static final JobId B1 = JobId.make(Slot.of("queue-b"), 3, 3);

    private final ScriptedLogs logs = new ScriptedLogs();
    private final Heartbeats heartbeats = new Heartbeats(logs, Duration.ofSeconds(5));

    private static String extended(String ids, String more) {
        return "{\"extended\":[%s],\"elsewhere\":[]%s}".formatted(ids, more);
    }

    private static String quoted(JobId id) {
        return "\"" + id + "\"";
    }

    @Test
    void a_worker_without_jobs_only_tells_its_registry_that_it_lives() throws Exception {
        logs.answers(ALIVE);
        assertThat(heartbeats.beat(BEAT, List.of(), VISIBILITY))
                .isEqualTo(new Heartbeats.Outcome("running", null, List.of(), "2026-02-12T10:30:00.000Z"));
        assertThat(logs.commands()).containsExactly(BEAT);
        assertThat(logs.logs()).containsExactly(logs.routing().ofWorker("w"));
        assertThat(logs.sent.getFirst().key()).isEqualTo("worker:w");
    }

    @Test
    void each_log_is_asked_once_for_all_of_its_jobs() throws Exception {
        logs.answers(ALIVE).answers(extended(quoted(A1), "")).answers(extended(quoted(B1), ""));
        Heartbeats.Outcome outcome = heartbeats.beat(BEAT, List.of(A1, B1, A2), VISIBILITY);
        assertThat(outcome.extended()).containsExactly(A1.toString(), B1.toString());
        assertThat(logs.commands())
                .containsExactly(
                        BEAT, new Extend("w", List.of(A1, A2), VISIBILITY), new Extend("w", List.of(B1), VISIBILITY));
        assertThat(logs.logs().subList(1, 3))
                .containsExactly(logs.routing().ofJob(A1), logs.routing().ofJob(B1));
    }

    @Test
    void a_job_that_lives_elsewhere_is_looked_for_there_once() throws Exception {
        // given: the log that the id names is only the directory's
        logs.answers(ALIVE)
                .answers("{\"extended\":[%s],\"elsewhere\":[{\"job_id\":%s,\"queue\":\"queue-b\"}]}"
                        .formatted(quoted(A1), quoted(A2)))
                .answers("{\"extended\":[%s],\"elsewhere\":[{\"job_id\":%s,\"queue\":\"a\"}]}"
                        .formatted("", quoted(A2)));
        // when
        Heartbeats.Outcome outcome = heartbeats.beat(BEAT, List.of(A1, A2), null);
        // then
        assertThat(outcome.extended()).containsExactly(A1.toString());
        assertThat(logs.commands().getLast()).isEqualTo(new Extend("w", List.of(A2), null));
        assertThat(logs.logs().getLast()).isEqualTo(logs.routing().ofQueue("queue-b"));
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void of_several_directives_the_gravest_is_told() throws Exception {
        logs.answers(ALIVE)
                .answers(extended("", ",\"directive\":\"terminate\""))
                .answers(extended("", ",\"directive\":\"quiet\""));
        assertThat(heartbeats.beat(BEAT, List.of(A1, B1), null).testDirective()).isEqualTo("terminate");
        logs.answers(ALIVE).answers(extended("", "")).answers(extended("", ",\"directive\":\"quiet\""));
        assertThat(heartbeats.beat(BEAT, List.of(A1, B1), null).testDirective()).isEqualTo("quiet");
    }

    @Test
    void a_failure_or_a_refusal_of_any_log_is_told() {
        logs.fails();
        assertThatThrownBy(() -> heartbeats.beat(BEAT, List.of(), null)).isInstanceOf(NoReply.class);
        logs.answers(ALIVE).fails();
        assertThatThrownBy(() -> heartbeats.beat(BEAT, List.of(A1), null)).isInstanceOf(NoReply.class);
        logs.refuses(Refusal.of(ErrorCode.NOT_FOUND, "no"));
        assertThatThrownBy(() -> heartbeats.beat(BEAT, List.of(), null)).isInstanceOf(RefusedException.class);
    }

    @Test
    void an_answer_that_makes_no_sense_is_as_good_as_none() {
        for (String answer :
                List.of("", "xx", "{}", "{\"state\":1,\"server_time\":\"x\"}", "{\"state\":\"running\"}")) {
            logs.answers(answer);
            assertThatThrownBy(() -> heartbeats.beat(BEAT, List.of(), null)).isInstanceOf(NoReply.class);
        }
        logs.answers(ALIVE).answers("{\"elsewhere\":[1]}");
        assertThatThrownBy(() -> heartbeats.beat(BEAT, List.of(A1), null)).isInstanceOf(NoReply.class);
    }
}
