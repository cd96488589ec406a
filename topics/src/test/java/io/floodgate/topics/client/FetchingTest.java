package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FetchingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String READY = "{\"ready\":true}";
    private static final String NOT_READY = "{\"ready\":false}";
    private static final String A = "a";
    /** In another log than A; B2 shares its log. */
    private static final String B = elsewhere(A, 0);

    private static final String B2 = together(B);
    private static final String C = elsewhere(A, 1);

    private final ScriptedLogs logs = new ScriptedLogs();
    private final Fetching fetching = new Fetching(logs, PATIENCE);

    private static Stream<String> names() {
        return IntStream.range(0, 10_000).mapToObj(i -> "queue-" + i);
    }

    private static String elsewhere(String queue, int skip) {
        Routing routing = new Routing(64);
        return names().filter(name -> !routing.ofQueue(name).equals(routing.ofQueue(queue)))
                .skip(skip)
                .findFirst()
                .orElseThrow();
    }

    private static String together(String queue) {
        Routing routing = new Routing(64);
        return names().filter(
                        name -> !name.equals(queue) && routing.ofQueue(name).equals(routing.ofQueue(queue)))
                .findFirst()
                .orElseThrow();
    }

    private static Fetch fetch(int count, Duration wait, String... queues) {
        return new Fetch(List.of(queues), count, "w", Duration.ofSeconds(30), wait);
    }

    private static Fetch part(int count, Duration wait, String... queues) {
        return fetch(count, wait, queues);
    }

    private LogId log(String queue) {
        return logs.routing().ofQueue(queue);
    }

    private List<String> fetched(Fetch request) throws Exception {
        return fetching.fetch(request).stream()
                .map(job -> new String(job, UTF_8))
                .toList();
    }

    @Test
    void the_log_of_a_single_queue_does_all_the_waiting() throws Exception {
        logs.answers("{\"n\":1}\n{\"n\":2}");
        assertThat(fetched(fetch(3, LONG, A))).containsExactly("{\"n\":1}", "{\"n\":2}");
        assertThat(logs.commands()).containsExactly(part(3, LONG, A));
        assertThat(logs.logs()).containsExactly(log(A));
        assertThat(logs.sent.getFirst().patience()).isEqualTo(PATIENCE.plus(LONG));
    }

    @Test
    void so_does_the_log_of_several_queues() throws Exception {
        logs.answers("");
        assertThat(fetched(fetch(3, LONG, B, B2))).isEmpty();
        assertThat(logs.commands()).containsExactly(part(3, LONG, B, B2));
    }

    @Test
    void several_logs_are_asked_from_left_to_right() throws Exception {
        logs.answers("{\"n\":1}").answers("{\"n\":2}").answers("");
        assertThat(fetched(fetch(5, LONG, A, B, C))).containsExactly("{\"n\":1}", "{\"n\":2}");
        assertThat(logs.commands())
                .containsExactly(part(5, Duration.ZERO, A), part(4, Duration.ZERO, B), part(3, Duration.ZERO, C));
        assertThat(logs.logs()).containsExactly(log(A), log(B), log(C));
    }

    @Test
    void neighbours_of_one_log_are_asked_together_and_others_in_their_turn() throws Exception {
        logs.answers("").answers("").answers("{\"n\":1}");
        assertThat(fetched(fetch(5, LONG, B, B2, A, B))).containsExactly("{\"n\":1}");
        assertThat(logs.commands())
                .containsExactly(part(5, Duration.ZERO, B, B2), part(5, Duration.ZERO, A), part(5, Duration.ZERO, B));
    }

    @Test
    void nobody_is_asked_for_more_than_is_wanted() throws Exception {
        logs.answers("{\"n\":1}\n{\"n\":2}");
        assertThat(fetched(fetch(2, LONG, A, B))).hasSize(2);
        assertThat(logs.commands()).hasSize(1);
    }

    @Test
    void who_does_not_wait_is_told_at_once() throws Exception {
        logs.answers("").answers("");
        assertThat(fetched(fetch(1, Duration.ZERO, A, B))).isEmpty();
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void to_wait_all_logs_are_watched_and_asked_again_when_one_has_something() throws Exception {
        // given
        CompletableFuture<Reply> later = new CompletableFuture<>();
        logs.answers("").answers("").answers("");
        logs.staysSilent().answersWith(sent -> {
            Thread.startVirtualThread(() -> later.complete(ScriptedLogs.done(READY)));
            return later;
        });
        logs.answers("").answers("{\"n\":1}").answers("");
        // when
        List<String> jobs = fetched(fetch(9, LONG, A, B, A));
        // then
        assertThat(jobs).containsExactly("{\"n\":1}");
        assertThat(logs.logs()).containsExactly(log(A), log(B), log(A), log(A), log(B), log(A), log(B), log(A));
        Watch first = (Watch) logs.commands().get(3);
        assertThat(first.queues()).containsExactly(A, A);
        assertThat(first.maxWait()).isBetween(Duration.ofSeconds(50), LONG);
        assertThat(((Watch) logs.commands().get(4)).queues()).containsExactly(B);
    }

    @Test
    void a_log_that_is_still_being_watched_is_not_watched_twice() throws Exception {
        // given: B wakes twice for jobs that another worker takes, A never does
        logs.answers("").answers("").staysSilent().answers(READY);
        logs.answers("").answers("").answers(READY);
        logs.answers("").answers("{}");
        // when
        assertThat(fetched(fetch(1, LONG, A, B))).hasSize(1);
        // then
        assertThat(logs.commands().stream().filter(Watch.class::isInstance)).hasSize(3);
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void when_the_time_is_up_the_answer_is_none() throws Exception {
        logs.answers("").answers("");
        Duration wait = Duration.ofMillis(30);
        for (int watch = 0; watch < 2; watch++)
            logs.answersWith(sent -> new CompletableFuture<Reply>()
                    .completeOnTimeout(ScriptedLogs.done(NOT_READY), 40, java.util.concurrent.TimeUnit.MILLISECONDS));
        logs.answers("").answers("");
        assertThat(fetched(fetch(1, wait, A, B))).isEmpty();
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void jobs_that_one_log_gave_are_not_lost_when_the_next_one_fails_or_refuses() throws Exception {
        logs.answers("{\"n\":1}").fails();
        assertThat(fetched(fetch(2, LONG, A, B))).containsExactly("{\"n\":1}");
        logs.answers("{\"n\":2}").refuses(Refusal.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThat(fetched(fetch(2, LONG, A, B))).containsExactly("{\"n\":2}");
    }

    @Test
    void without_any_job_a_failure_is_a_failure_and_a_refusal_a_refusal() {
        logs.fails();
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(NoReply.class);
        logs.refuses(Refusal.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A))).isInstanceOf(RefusedException.class);
        logs.answers("").answers("").staysSilent().refuses(Refusal.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(RefusedException.class);
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void jobs_that_come_too_late_are_given_back_untried() {
        // given
        JobId one = JobId.make(Slot.of(A), 1, 1);
        JobId other = JobId.make(Slot.of(B), 2, 2);
        logs.fails();
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A))).isInstanceOf(NoReply.class);
        // when
        logs.answers("{}").answers("{}");
        logs.sent
                .getFirst()
                .late()
                .accept(ScriptedLogs.done(
                        "{\"id\":\"%s\",\"lease\":17,\"args\":[]}\n{\"id\":\"%s\",\"lease\":18,\"args\":[]}"
                                .formatted(one, other)));
        // then
        assertThat(logs.logs()).containsExactly(log(A), log(A), log(B));
        assertThat(logs.commands().stream().skip(1).map(Nack.class::cast)).allMatch(Nack::requeue);
        assertThat(logs.commands().stream().skip(1).map(Nack.class::cast).map(Nack::claimant))
                .containsExactly(new Claimant(null, 17L), new Claimant(null, 18L));
        assertThat(logs.sent.get(1).key()).isEqualTo(one.toString());
    }

    @Test
    void a_late_refusal_gives_nothing_back() {
        logs.fails();
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A))).isInstanceOf(NoReply.class);
        logs.sent.getFirst().late().accept(new Reply.Refused(Refusal.of(ErrorCode.INVALID_QUEUE, "no")));
        assertThat(logs.sent).hasSize(1);
    }

    @Test
    void a_job_that_cannot_be_understood_does_not_keep_the_others_from_being_given_back() {
        JobId one = JobId.make(Slot.of(A), 1, 1);
        logs.answers("{}").answers("{}");
        fetching.giveBack(Stream.of(
                        "xx",
                        "{\"id\":\"x\",\"lease\":1}",
                        "{\"id\":\"%s\"}".formatted(one),
                        "{\"id\":\"%s\",\"lease\":1,\"args\":[{\"a\":1,\"a\":2}]}".formatted(one),
                        "{\"id\":\"%s\",\"lease\":2,\"args\":[1e99999999999]}".formatted(one))
                .map(job -> job.getBytes(UTF_8))
                .toList());
        assertThat(logs.commands().stream().map(Nack.class::cast).map(Nack::claimant))
                .containsExactly(new Claimant(null, 1L), new Claimant(null, 2L));
    }
}
