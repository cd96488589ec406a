package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FetchingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration TURN = Duration.ofMillis(40);
    private static final WaitSlices TURNS = new WaitSlices(TURN);
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String A = "a";
    /** In another partition than A; B2 shares its partition. */
    private static final String B = ScriptedLogs.elsewhere(0, A);

    private static final String B2 = ScriptedLogs.together(B);

    private final ScriptedLogs logs = new ScriptedLogs();
    private boolean closing;
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final Fetching fetching =
            new Fetching(logs, PATIENCE, () -> closing, TURNS, (delay, action) -> later.add(action), System::nanoTime);

    private static Fetch fetch(int count, Duration wait, String... queues) {
        return new Fetch(List.of(queues), count, "w", Duration.ofSeconds(30), wait);
    }

    private PartitionId log(String queue) {
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
        assertThat(fetched(fetch(3, SHORT, A))).containsExactly("{\"n\":1}", "{\"n\":2}");
        assertThat(asked()).containsExactly(fetch(3, SHORT, A));
        assertThat(logs.logs()).containsExactly(log(A));
        assertThat(logs.sent.getFirst().patience()).isBetween(PATIENCE.plusMillis(1), PATIENCE.plus(SHORT));
    }

    @Test
    void so_does_the_log_of_several_queues() throws Exception {
        logs.answers("{}");
        assertThat(fetched(fetch(3, SHORT, B, B2))).hasSize(1);
        assertThat(asked()).containsExactly(fetch(3, SHORT, B, B2));
    }

    @Test
    void a_long_wait_is_cut_into_turns() throws Exception {
        logs.answersAfter(TURN, "").answersAfter(TURN, "").answers("{}");
        assertThat(fetched(fetch(1, LONG, A))).hasSize(1);
        assertThat(asked()).hasSize(3).allMatch(fetch(1, SHORT, A)::equals);
        assertThat(logs.commands())
                .allSatisfy(command -> assertThat(((Fetch) command).maxWait())
                        .isBetween(TURN.multipliedBy(3).dividedBy(4), TURN));
    }

    @Test
    void a_log_that_has_no_room_for_waiters_is_not_asked_again_at_once() throws Exception {
        logs.answers("");
        assertThat(fetched(fetch(1, LONG, A))).isEmpty();
    }

    @Test
    void a_client_that_is_about_to_stop_waits_for_no_further_turn() throws Exception {
        closing = true;
        logs.answersAfter(TURN, "");
        assertThat(fetched(fetch(1, LONG, A))).isEmpty();
    }

    /** The fetches, as if each had the same wait. */
    private List<Fetch> asked() {
        return logs.commands().stream()
                .map(command -> ((Fetch) command).waiting(SHORT))
                .toList();
    }

    @Test
    void a_caller_who_has_left_is_answered_at_once_and_its_fetch_is_withdrawn() throws Exception {
        // given
        logs.staysSilent();
        Cancellation cancellation = new Cancellation();
        FutureTask<List<byte[]>> fetch = inTheBackground(fetch(1, LONG, A), cancellation);
        while (logs.sent.isEmpty()) Thread.onSpinWait();
        // when
        cancellation.cancel();
        // then
        assertThat(fetch.get()).isEmpty();
        assertThat(logs.withdrawn).hasSize(1);
        // and, for good
        assertThat(fetching.fetch(fetch(1, LONG, A), cancellation)).isEmpty();
        assertThat(logs.sent).hasSize(1);
    }

    private FutureTask<List<byte[]>> inTheBackground(Fetch request, Cancellation cancellation) {
        FutureTask<List<byte[]>> task = new FutureTask<>(() -> fetching.fetch(request, cancellation));
        Thread.startVirtualThread(task);
        return task;
    }

    @Test
    void jobs_that_were_handed_out_while_the_caller_left_go_back() throws Exception {
        JobId one = JobId.make(Slot.of(A), 1, 1);
        Cancellation cancellation = new Cancellation();
        logs.answersWith(sent -> {
            cancellation.cancel();
            return CompletableFuture.completedFuture(ScriptedLogs.done(job(one, 17)));
        });
        logs.answers("{}");
        assertThat(fetching.fetch(fetch(1, LONG, A), cancellation)).isEmpty();
        assertThat(((Nack) logs.commands().get(1)).requeue()).isTrue();
    }

    @Test
    void without_any_job_a_failure_is_a_failure_and_a_rejection_a_rejection() {
        logs.fails();
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A))).isInstanceOf(NoReply.class);
        logs.rejects(Rejection.of(ErrorCode.INVALID_QUEUE, "no"));
        assertThatThrownBy(() -> fetching.fetch(fetch(2, LONG, A))).isInstanceOf(RejectedException.class);
        assertThat(logs.isOver()).isTrue();
    }

    private static String job(JobId id, int lease) {
        return "{\"id\":\"%s\",\"lease\":%d,\"args\":[]}".formatted(id, lease);
    }

    @Test
    void what_is_given_back_does_not_count_as_an_attempt() {
        JobId one = JobId.make(Slot.of(A), 1, 1);
        JobId other = JobId.make(Slot.of(B), 2, 2);
        logs.answers("{}").answers("{}");
        fetching.giveBack(bytes(job(one, 17), job(other, 18)));
        assertThat(logs.logs()).containsExactly(log(A), log(B));
        assertThat(logs.commands()).map(Nack.class::cast).allMatch(Nack::requeue);
        assertThat(logs.commands())
                .map(Nack.class::cast)
                .extracting(Nack::claimant)
                .containsExactly(new Claimant(null, 17L), new Claimant(null, 18L));
        assertThat(logs.sent.getFirst().key()).isEqualTo(one.toString());
    }

    private static List<byte[]> bytes(String... jobs) {
        return Stream.of(jobs).map(job -> job.getBytes(UTF_8)).toList();
    }

    @Test
    void giving_back_is_repeated_until_the_log_answers() {
        logs.fails()
                .rejects(Rejection.of(ErrorCode.INTERNAL_ERROR, "no"))
                .rejects(Rejection.of(ErrorCode.MEMORY_FULL, "no"))
                .answers("{}");
        fetching.giveBack(bytes(job(JobId.make(Slot.of(A), 1, 1), 17)));
        for (int i = 0; i < 3; i++) later.remove().run();
        assertThat(later).isEmpty();
        assertThat(logs.isOver()).isTrue();
        assertThat(logs.commands()).hasSize(4).containsOnly(logs.commands().get(0));
    }

    @Test
    void nor_is_it_repeated_for_ever_or_once_the_job_is_another_clients() {
        byte[] job = job(JobId.make(Slot.of(A), 1, 1), 17).getBytes(UTF_8);
        logs.rejects(Rejection.of(ErrorCode.CONFLICT, "no"));
        fetching.giveBack(List.of(job));
        assertThat(later).isEmpty();
        for (int i = 0; i < GiveBacks.MOST_TRIES; i++) logs.fails();
        fetching.giveBack(List.of(job));
        while (!later.isEmpty()) later.remove().run();
        assertThat(logs.isOver()).isTrue();
    }

    @Test
    void a_job_that_cannot_be_understood_does_not_keep_the_others_from_being_given_back() {
        JobId one = JobId.make(Slot.of(A), 1, 1);
        logs.answers("{}").answers("{}");
        fetching.giveBack(bytes(
                "xx",
                "{\"id\":\"x\",\"lease\":1}",
                "{\"id\":\"%s\"}".formatted(one),
                "{\"id\":\"%s\",\"lease\":1,\"args\":[{\"a\":1,\"a\":2}]}".formatted(one),
                "{\"id\":\"%s\",\"lease\":2,\"args\":[1e99999999999]}".formatted(one)));
        assertThat(logs.commands())
                .map(Nack.class::cast)
                .extracting(Nack::claimant)
                .containsExactly(new Claimant(null, 1L), new Claimant(null, 2L));
    }
}
