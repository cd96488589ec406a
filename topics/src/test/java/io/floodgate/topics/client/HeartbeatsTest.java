package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.Rejection;
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

    private Heartbeats.Outcome beat(Duration visibility, JobId... jobs) throws Exception {
        return heartbeats.beat(BEAT, List.of(jobs), visibility, false);
    }

    private static String extended(String ids, String more) {
        return "{\"extended\":[%s],\"elsewhere\":[],\"server_time\":\"2026-02-12T10:30:00.001Z\"%s}"
                .formatted(ids, more);
    }

    private static String quoted(JobId id) {
        return "\"" + id + "\"";
    }

    @Test
    void a_worker_without_jobs_only_tells_its_registry_that_it_lives() throws Exception {
        logs.answers(ALIVE);
        assertThat(beat(VISIBILITY))
                .isEqualTo(new Heartbeats.Outcome(
                        "running", null, List.of(), List.of(), List.of(), List.of(), "2026-02-12T10:30:00.000Z"));
        assertThat(logs.commands()).containsExactly(BEAT);
        assertThat(logs.logs()).containsExactly(logs.routing().ofWorker("w"));
        assertThat(logs.sent.getFirst().key()).isEqualTo("worker:w");
    }

    @Test
    void each_log_is_asked_once_for_all_of_its_jobs() throws Exception {
        logs.answers(ALIVE).answers(extended(quoted(A1), "")).answers(extended(quoted(B1), ""));
        Heartbeats.Outcome outcome = beat(VISIBILITY, A1, B1, A2);
        assertThat(outcome.extended()).containsExactly(A1.toString(), B1.toString());
        assertThat(logs.commands())
                .containsExactly(
                        BEAT, new Extend("w", List.of(A1, A2), VISIBILITY), new Extend("w", List.of(B1), VISIBILITY));
        assertThat(logs.logs().subList(1, 3))
                .containsExactly(logs.routing().ofJob(A1), logs.routing().ofJob(B1));
    }

    @Test
    void a_job_that_lives_elsewhere_is_looked_for_there_once() throws Exception {
        // given: the partition that the id names is only the directory's
        logs.answers(ALIVE)
                .answers(
                        "{\"extended\":[%s],\"elsewhere\":[{\"job_id\":%s,\"queue\":\"queue-b\"}],\"server_time\":\"t\"}"
                                .formatted(quoted(A1), quoted(A2)))
                .answers("{\"extended\":[%s],\"elsewhere\":[{\"job_id\":%s,\"queue\":\"a\"}],\"server_time\":\"t\"}"
                        .formatted("", quoted(A2)));
        // when
        Heartbeats.Outcome outcome = beat(null, A1, A2);
        // then
        assertThat(outcome.extended()).containsExactly(A1.toString());
        assertThat(logs.commands().getLast()).isEqualTo(new Extend("w", List.of(A2), null));
        assertThat(logs.logs().getLast()).isEqualTo(logs.routing().ofQueue("queue-b"));
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void of_several_directives_the_gravest_is_reported() throws Exception {
        logs.answers(ALIVE)
                .answers(extended("", ",\"directive\":\"terminate\""))
                .answers(extended("", ",\"directive\":\"quiet\""));
        assertThat(beat(null, A1, B1).testDirective()).isEqualTo("terminate");
        logs.answers(ALIVE).answers(extended("", "")).answers(extended("", ",\"directive\":\"quiet\""));
        assertThat(beat(null, A1, B1).testDirective()).isEqualTo("quiet");
    }

    @Test
    void a_log_that_does_not_answer_fails_only_its_own_part() throws Exception {
        logs.answers(ALIVE).fails().answers(extended(quoted(B1), ""));
        Heartbeats.Outcome outcome = beat(null, A1, B1);
        assertThat(outcome.extended()).containsExactly(B1.toString());
        assertThat(outcome.lost()).isEmpty();
        assertThat(outcome.silent()).containsExactly(logs.routing().ofJob(A1));
    }

    @Test
    void nor_does_the_registry_keep_the_rest_from_being_reported() throws Exception {
        logs.fails().answers(extended(quoted(A1), ""));
        Heartbeats.Outcome outcome = beat(null, A1);
        assertThat(outcome.state()).isEqualTo("running");
        assertThat(outcome.extended()).containsExactly(A1.toString());
        assertThat(outcome.serverTime()).isEqualTo("2026-02-12T10:30:00.001Z");
        assertThat(outcome.silent()).containsExactly(logs.routing().ofWorker("w"));
    }

    @Test
    void a_log_that_may_yet_carry_it_out_is_no_rejection() throws Exception {
        logs.answers(ALIVE)
                .rejects(Rejection.of(ErrorCode.INTERNAL_ERROR, "no"))
                .answers(extended(quoted(B1), ""));
        Heartbeats.Outcome outcome = beat(null, A1, B1);
        assertThat(outcome.extended()).containsExactly(B1.toString());
        assertThat(outcome.silent()).hasSize(1);
    }

    @Test
    void when_none_answers_or_one_rejects_for_good_the_heartbeat_fails() {
        logs.fails();
        assertThatThrownBy(() -> beat(null)).isInstanceOf(NoReply.class);
        logs.fails().fails();
        assertThatThrownBy(() -> beat(null, A1)).isInstanceOf(NoReply.class);
        logs.rejects(Rejection.of(ErrorCode.NOT_FOUND, "no"));
        assertThatThrownBy(() -> beat(null)).isInstanceOf(RejectedException.class);
        logs.rejects(Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "no"));
        assertThatThrownBy(() -> beat(null)).isInstanceOf(RejectedException.class);
    }

    @Test
    void jobs_that_the_worker_does_not_hold_are_lost_and_some_of_them_cancelled() throws Exception {
        logs.answers(ALIVE)
                .answers(extended(quoted(A1), ",\"lost\":[%s],\"cancelled\":[%s]".formatted(quoted(A2), quoted(A2))))
                .answers(extended("", ",\"lost\":[%s]".formatted(quoted(B1))));
        Heartbeats.Outcome outcome = beat(null, A1, A2, B1);
        assertThat(outcome.lost()).containsExactly(A2.toString(), B1.toString());
        assertThat(outcome.cancelled()).containsExactly(A2.toString());
    }

    @Test
    void a_worker_that_names_all_it_has_is_asked_about_in_every_log_where_it_has_leases() throws Exception {
        // given: A1 is in its partition, B1 elsewhere, and there is a partition of whose jobs the worker knows nothing
        PartitionId itsOwn = logs.routing().ofJob(A1);
        PartitionId other = logs.routing().ofQueue("queue-c");
        PartitionId moved = logs.routing().ofQueue("queue-d");
        logs.answers("{\"state\":\"running\",\"server_time\":\"t\",\"logs\":[\"%s\",\"%s\",\"%s\",\"x\",\"x/1\"]}"
                        .formatted(itsOwn, other, moved))
                .answers(extended(quoted(A1), ""))
                .answers("{\"elsewhere\":[{\"job_id\":%s,\"queue\":\"queue-d\"}],\"server_time\":\"t\"}"
                        .formatted(quoted(B1)))
                .answers(extended("", ""))
                .answers(extended(quoted(B1), ""));
        // when
        Heartbeats.Outcome outcome = heartbeats.beat(BEAT, List.of(A1, B1), null, true);
        // then
        assertThat(outcome.extended()).containsExactly(A1.toString(), B1.toString());
        assertThat(outcome.lost()).isEmpty();
        assertThat(logs.commands())
                .containsExactly(
                        BEAT,
                        new Extend("w", List.of(A1, B1), null, true),
                        new Extend("w", List.of(A1, B1), null, true),
                        new Extend("w", List.of(A1, B1), null, true),
                        new Extend("w", List.of(A1, B1), null, true));
        assertThat(logs.logs().subList(3, 5)).containsExactly(other, moved);
    }

    /** The partition to which its id leads would say where it is, but does not answer: else that partition would take it back. */
    @Test
    void a_complete_list_names_every_job_to_the_log_where_it_may_live() throws Exception {
        PartitionId whereItLives = logs.routing().ofQueue("queue-c");
        logs.answers("{\"state\":\"running\",\"server_time\":\"t\",\"logs\":[\"%s\"]}".formatted(whereItLives))
                .fails()
                .answers(extended(quoted(A1), ""));
        Heartbeats.Outcome outcome = heartbeats.beat(BEAT, List.of(A1), null, true);
        assertThat(logs.logs().getLast()).isEqualTo(whereItLives);
        assertThat(logs.commands().getLast()).isEqualTo(new Extend("w", List.of(A1), null, true));
        assertThat(outcome.extended()).containsExactly(A1.toString());
        assertThat(outcome.lost()).isEmpty();
    }

    @Test
    void an_answer_that_makes_no_sense_is_as_good_as_none() {
        for (String answer :
                List.of("", "xx", "{}", "{\"state\":1,\"server_time\":\"x\"}", "{\"state\":\"running\"}")) {
            logs.answers(answer);
            assertThatThrownBy(() -> beat(null)).isInstanceOf(NoReply.class);
        }
    }
}
