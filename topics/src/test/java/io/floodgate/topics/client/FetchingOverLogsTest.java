package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.Decline;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FetchingOverLogsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String NOT_READY = "{\"ready\":false}";
    /** Three queues in logs of their own; those with a 2 share the partition of the one without. */
    private static final String A = "a";

    private static final String B = ScriptedLogs.elsewhere(0, A);
    private static final String C = ScriptedLogs.elsewhere(0, A, B);
    private static final String A2 = ScriptedLogs.together(A);
    private static final String B2 = ScriptedLogs.together(B);

    private final ScriptedLogs logs = new ScriptedLogs();
    private final AtomicLong nanos = new AtomicLong();
    private final Fetching fetching =
            new Fetching(logs, PATIENCE, () -> false, WaitSlices.OF_SECONDS, (delay, action) -> {}, nanos::get);

    private static Fetch fetch(int count, Duration wait, String... queues) {
        return new Fetch(List.of(queues), count, "w", Duration.ofSeconds(30), wait);
    }

    private static Fetch claim(int count, String... queues) {
        return fetch(count, Duration.ZERO, queues);
    }

    /** The same for a caller that holds jobs already. */
    private static Fetch more(int count, String... queues) {
        return claim(count, queues).atOnce(true);
    }

    private static Watch lookForMore(String... queues) {
        return new Watch(List.of(queues), Duration.ZERO, WantedJobs.ALL, true);
    }

    private static Watch look(String... queues) {
        return new Watch(List.of(queues), Duration.ZERO);
    }

    private static String ready(String queue) {
        return "{\"ready\":true,\"queue\":\"%s\"}".formatted(queue);
    }

    private PartitionId log(String queue) {
        return logs.routing().ofQueue(queue);
    }

    private List<String> fetched(Fetch request) throws Exception {
        return fetching.fetch(request).stream()
                .map(job -> new String(job, UTF_8))
                .toList();
    }

    private List<String> withdrawnFrom() {
        return logs.withdrawn.stream().map(ScriptedLogs.Sent::key).toList();
    }

    // what is ready

    @Test
    void the_leftmost_log_is_asked_first_and_no_other_if_it_has_enough() throws Exception {
        logs.answers("{\"n\":1}\n{\"n\":2}");
        assertThat(fetched(fetch(2, LONG, A, B, C))).hasSize(2);
        assertThat(logs.commands()).containsExactly(claim(2, A));
    }

    @Test
    void a_single_other_one_is_fetched_from_without_being_asked_before() throws Exception {
        logs.answers("{\"n\":1}").answers("{\"n\":2}");
        assertThat(fetched(fetch(5, LONG, A, B, B2))).containsExactly("{\"n\":1}", "{\"n\":2}");
        assertThat(logs.commands()).containsExactly(claim(5, A), more(4, B, B2));
    }

    @Test
    void several_others_are_asked_together_and_fetched_from_in_the_order_of_the_queues() throws Exception {
        logs.answers("{\"n\":1}").answers(ready(B2)).answers(ready(C));
        logs.answers("{\"n\":2}").answers("{\"n\":3}");
        assertThat(fetched(fetch(5, LONG, A, B, C, B2))).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
        assertThat(logs.commands())
                .containsExactly(claim(5, A), lookForMore(B, B2), lookForMore(C), more(4, C), more(3, B2));
        assertThat(logs.logs()).containsExactly(log(A), log(B), log(C), log(C), log(B));
    }

    @Test
    void no_queue_is_taken_from_while_one_to_its_left_has_something() throws Exception {
        // given: B and B2 have jobs, and so has C between them
        logs.answers("").answers(ready(B)).answers(ready(C));
        logs.answers("{\"n\":\"b\"}").answers(ready(B2));
        logs.answers("{\"n\":\"c\"}").answers("{\"n\":\"b2\"}");
        // when
        List<String> jobs = fetched(fetch(9, LONG, A, B, C, B2));
        // then
        assertThat(jobs).containsExactly("{\"n\":\"b\"}", "{\"n\":\"c\"}", "{\"n\":\"b2\"}");
        assertThat(logs.commands())
                .containsExactly(
                        claim(9, A), look(B, B2), look(C), claim(9, B), lookForMore(B2), more(8, C), more(7, B2));
    }

    @Test
    void later_queues_of_the_first_log_have_their_turn() throws Exception {
        logs.answers("").answers(ready(A2)).answers(ready(B));
        logs.answers("{\"n\":\"b\"}").answers("{\"n\":\"a2\"}");
        assertThat(fetched(fetch(9, LONG, A, B, A2))).containsExactly("{\"n\":\"b\"}", "{\"n\":\"a2\"}");
    }

    @Test
    void a_log_that_does_not_say_which_queue_is_ready_may_mean_any() throws Exception {
        logs.answers("").answers("{\"ready\":true}").answers(ready(C));
        logs.answers("").answers(NOT_READY).answers("{\"n\":\"c\"}");
        assertThat(fetched(fetch(9, LONG, A, B, C, B2))).containsExactly("{\"n\":\"c\"}");
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void a_queue_that_is_named_twice_is_asked_once() throws Exception {
        logs.answers("").answers("");
        assertThat(fetched(fetch(5, Duration.ZERO, A, B, A, B))).isEmpty();
        assertThat(logs.commands()).containsExactly(claim(5, A), claim(5, B));
    }

    @Test
    void a_thousand_queues_that_alternate_between_logs_cost_a_command_a_log() throws Exception {
        String[] queues =
                IntStream.range(0, 1_000).mapToObj(i -> "some-queue-" + i).toArray(String[]::new);
        long asked = Stream.of(queues).map(this::log).distinct().count();
        logs.answers("");
        for (int i = 0; i < asked; i++) logs.answers(NOT_READY);
        assertThat(fetched(fetch(5, Duration.ZERO, queues))).isEmpty();
        assertThat(logs.isOver()).isTrue();
    }

    // jobs that have started

    @Test
    void started_jobs_do_not_wait_for_a_log_that_is_slow() throws Exception {
        logs.answers("{\"n\":1}").staysSilent();
        assertThat(fetched(fetch(2, LONG, A, B))).containsExactly("{\"n\":1}");
        assertThat(withdrawnFrom()).containsExactly(B);
    }

    @Test
    void nor_for_one_that_does_not_say_whether_it_has_something() throws Exception {
        logs.answers("{\"n\":1}").staysSilent().staysSilent();
        assertThat(fetched(fetch(2, LONG, A, B, C))).containsExactly("{\"n\":1}");
    }

    @Test
    void no_further_log_is_turned_to_once_the_first_job_is_10_ms_old() throws Exception {
        logs.answers("{\"n\":1}").answers(ready(B)).answers(ready(C));
        logs.answersWith(sent -> {
            nanos.addAndGet(Sweep.MORE.toNanos());
            return CompletableFuture.completedFuture(ScriptedLogs.done("{\"n\":2}"));
        });
        assertThat(fetched(fetch(5, LONG, A, B, C))).containsExactly("{\"n\":1}", "{\"n\":2}");
        assertThat(logs.commands()).containsExactly(claim(5, A), lookForMore(B), lookForMore(C), more(4, B));
    }

    @Test
    void without_a_started_job_slow_logs_are_waited_for() throws Exception {
        logs.answersWith(sent -> {
            nanos.addAndGet(PATIENCE.toNanos());
            return CompletableFuture.completedFuture(ScriptedLogs.done(""));
        });
        logs.answers("{\"n\":1}");
        assertThat(fetched(fetch(5, LONG, A, B))).containsExactly("{\"n\":1}");
    }

    // what fails

    @Test
    void jobs_that_one_log_gave_are_not_lost_when_another_fails_or_rejects() throws Exception {
        logs.answers("{\"n\":1}").fails();
        assertThat(fetched(fetch(2, LONG, A, B))).containsExactly("{\"n\":1}");
        logs.answers("{\"n\":2}").rejects(Rejection.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThat(fetched(fetch(2, LONG, A, B))).containsExactly("{\"n\":2}");
    }

    @Test
    void nor_does_a_log_that_fails_keep_the_jobs_of_others_from_being_found() throws Exception {
        logs.fails().fails().answers(ready(C)).answers("{\"n\":\"c\"}");
        assertThat(fetched(fetch(1, LONG, A, B, C))).containsExactly("{\"n\":\"c\"}");
    }

    @Test
    void a_log_that_is_known_to_be_silent_is_asked_but_not_waited_for() throws Exception {
        logs.silent.add(log(A));
        logs.staysSilent().answers(NOT_READY).answers(ready(C)).answers("{\"n\":\"c\"}");
        assertThat(fetched(fetch(1, LONG, A, B, C))).containsExactly("{\"n\":\"c\"}");
        assertThat(logs.commands().getFirst()).isEqualTo(look(A));
    }

    @Test
    void when_every_log_fails_so_does_the_fetch() {
        logs.fails().fails();
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(NoReply.class);
        logs.rejects(Rejection.of(ErrorCode.MEMORY_FULL, "no")).rejects(Rejection.of(ErrorCode.MEMORY_FULL, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(RejectedException.class);
    }

    @Test
    void what_is_wrong_with_the_request_is_reported_at_once() {
        logs.rejects(Rejection.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(RejectedException.class);
        logs.answers("").answers("").staysSilent().rejects(Rejection.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A, B))).isInstanceOf(RejectedException.class);
        assertThat(withdrawnFrom()).containsExactly(A);
        assertThat(logs.isOver()).isTrue();
    }

    // to wait

    private void hasNothing() {
        logs.answers("").answers("");
    }

    @Test
    void who_does_not_wait_is_informed_at_once() throws Exception {
        hasNothing();
        assertThat(fetched(fetch(1, Duration.ZERO, A, B))).isEmpty();
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void to_wait_all_logs_are_watched_and_the_one_that_has_something_is_fetched_from() throws Exception {
        // given
        CompletableFuture<Reply> later = new CompletableFuture<>();
        hasNothing();
        logs.staysSilent().answersWith(sent -> {
            Thread.startVirtualThread(() -> later.complete(ScriptedLogs.done(ready(B2))));
            return later;
        });
        logs.answers("{\"n\":1}");
        // when
        List<String> jobs = fetched(fetch(9, LONG, A, B, B2));
        // then
        assertThat(jobs).containsExactly("{\"n\":1}");
        Watch first = (Watch) logs.commands().get(2);
        assertThat(first.queues()).containsExactly(A);
        assertThat(first.maxWait()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
        assertThat(((Watch) logs.commands().get(3)).queues()).containsExactly(B, B2);
        assertThat(logs.commands().get(4)).isEqualTo(claim(9, B, B2));
    }

    @Test
    void of_several_logs_that_have_something_all_are_fetched_from() throws Exception {
        logs.answers("").answers(NOT_READY).answers(NOT_READY);
        logs.staysSilent().answers(ready(B)).answers(ready(C));
        logs.answers("{\"n\":\"b\"}").answers("{\"n\":\"c\"}");
        assertThat(fetched(fetch(9, LONG, A, B, C))).containsExactly("{\"n\":\"b\"}", "{\"n\":\"c\"}");
        assertThat(withdrawnFrom()).containsExactly(A);
    }

    @Test
    void what_a_log_has_reported_of_and_is_not_fetched_is_declined() throws Exception {
        logs.answers("").answers(NOT_READY).answers(NOT_READY);
        logs.staysSilent().answers(ready(B)).answers(ready(C));
        logs.answers("{\"n\":\"b\"}").answers("{}");
        assertThat(fetched(fetch(1, LONG, A, B, C))).containsExactly("{\"n\":\"b\"}");
        assertThat(logs.sent.getLast().log()).isEqualTo(log(C));
        assertThat(logs.commands().getLast()).isEqualTo(new Decline(List.of(C)));
    }

    @Test
    void so_is_what_it_tells_of_while_another_one_is_fetched_from() throws Exception {
        logs.answers("").answers(NOT_READY).answers(NOT_READY);
        CompletableFuture<Reply> later = new CompletableFuture<>();
        logs.answersWith(sent -> later).answers(ready(B2)).answersWith(sent -> {
            later.complete(ScriptedLogs.done(ready(A2)));
            return CompletableFuture.completedFuture(ScriptedLogs.done("{\"n\":\"b\"}"));
        });
        logs.answers("{}");
        assertThat(fetched(fetch(9, LONG, A, B, B2, A2))).containsExactly("{\"n\":\"b\"}");
        assertThat(logs.commands().getLast()).isEqualTo(new Decline(List.of(A2)));
        assertThat(withdrawnFrom()).isEmpty();
    }

    @Test
    void once_there_are_jobs_nothing_is_watched_any_more() throws Exception {
        logs.answers("").answers(NOT_READY).answers(NOT_READY);
        logs.staysSilent().answers(ready(B)).staysSilent().answers("{\"n\":1}");
        assertThat(fetched(fetch(1, LONG, A, B, C))).hasSize(1);
        assertThat(withdrawnFrom()).containsExactlyInAnyOrder(A, C);
    }

    @Test
    void a_log_whose_job_another_client_took_is_watched_again_and_no_other() throws Exception {
        hasNothing();
        logs.staysSilent().answers(ready(B)).answers("").answers(ready(B)).answers("{}");
        assertThat(fetched(fetch(1, LONG, A, B))).hasSize(1);
        assertThat(logs.commands().stream().filter(Watch.class::isInstance)).hasSize(3);
        assertThat(withdrawnFrom()).containsExactly(A);
    }

    @Test
    void a_watch_that_found_nothing_in_its_turn_is_followed_by_another_one_and_nothing_else() throws Exception {
        Duration turn = Duration.ofMillis(40);
        Fetching byTurns =
                new Fetching(logs, PATIENCE, () -> false, new WaitSlices(turn), (delay, action) -> {}, nanos::get);
        hasNothing();
        logs.answersAfter(turn, NOT_READY).staysSilent().answersAfter(turn, NOT_READY);
        logs.answers(ready(A)).answers("{}");
        assertThat(byTurns.fetch(fetch(1, LONG, A, B))).hasSize(1);
        assertThat(logs.commands().stream().filter(Watch.class::isInstance)).hasSize(4);
    }

    @Test
    void a_log_that_has_no_room_for_watches_is_asked_again_after_a_while_only() throws Exception {
        hasNothing();
        logs.answers(NOT_READY).staysSilent();
        assertThat(fetched(fetch(1, Duration.ofMillis(300), A, B))).isEmpty();
        assertThat(logs.sent).hasSize(4);
    }

    @Test
    void when_the_time_is_up_the_answer_is_none() throws Exception {
        hasNothing();
        logs.staysSilent().staysSilent();
        assertThat(fetched(fetch(1, Duration.ofMillis(300), A, B))).isEmpty();
        assertThat(withdrawnFrom()).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void a_log_that_cannot_be_watched_is_not_asked_again_and_again() throws Exception {
        hasNothing();
        logs.fails().staysSilent();
        assertThat(fetched(fetch(1, Duration.ofMillis(300), A, B))).isEmpty();
        assertThat(logs.sent).hasSize(4);
    }

    @Test
    void it_is_asked_again_after_a_while() throws Exception {
        hasNothing();
        logs.fails().staysSilent().answers(ready(A)).answers("{}");
        assertThat(fetched(fetch(1, LONG, A, B))).hasSize(1);
    }

    @Test
    void when_the_caller_leaves_everything_is_withdrawn_at_once() throws Exception {
        // given
        hasNothing();
        logs.staysSilent().staysSilent();
        Cancellation cancellation = new Cancellation();
        FutureTask<List<byte[]>> fetch = new FutureTask<>(() -> fetching.fetch(fetch(1, LONG, A, B), cancellation));
        Thread.startVirtualThread(fetch);
        while (logs.sent.size() < 4) Thread.onSpinWait();
        // when
        cancellation.cancel();
        // then
        assertThat(fetch.get()).isEmpty();
        assertThat(withdrawnFrom()).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void a_caller_who_leaves_in_mid_sweep_is_asked_for_nothing_more() throws Exception {
        Cancellation cancellation = new Cancellation();
        logs.answersWith(sent -> {
            cancellation.cancel();
            return new CompletableFuture<>();
        });
        assertThat(fetching.fetch(fetch(1, LONG, A, B), cancellation)).isEmpty();
        assertThat(logs.commands()).containsExactly((Command) claim(1, A));
        assertThat(withdrawnFrom()).containsExactly(A);
    }
}
