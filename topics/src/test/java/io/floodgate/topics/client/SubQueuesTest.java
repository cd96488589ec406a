package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandTypes;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.TrafficClass;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Leave;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SubQueuesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final PartitionId SILENT = new PartitionId(3);
    private static final PartitionId WELL = new PartitionId(4);
    private static final Command WORK = new GetQueue("email");
    private static final JobId JOB = JobId.make(Slot.of("email"), 1, 1);
    private static final List<Command> COMPLETIONS = List.of(
            new Ack(JOB, Claimant.UNNAMED, null),
            new Nack(JOB, Claimant.UNNAMED, ErrorReport.of("t", "m"), false),
            new Extend("w", List.of(JOB), null),
            new Beat("w", "{}".getBytes(UTF_8)),
            new Leave("w"),
            new Withdraw("me", List.of(1L)));
    private static final List<Command> PROBES = List.of(new Tick(), new Inspect());
    private static final List<Command> WAITS = List.of(
            new Fetch(List.of("email"), 1, null, null, Duration.ofSeconds(1)),
            new Watch(List.of("email"), Duration.ofSeconds(1)));
    private static final List<Command> WORKS = List.of(WORK, new Enqueue("{}".getBytes(UTF_8), true));
    private static final List<Command> FETCHES = List.of(
            new Fetch(List.of("email"), 1, null, null, Duration.ZERO), new Watch(List.of("email"), Duration.ZERO));
    private static final Command SEARCH = new ListJobs(JobFilter.of(), false, 10, null);

    private final FakeReplyTopic topic = new FakeReplyTopic();
    private final MockProducer<String, byte[]> work = producer();
    private final MockProducer<String, byte[]> completions = producer();
    private final KafkaCommandClient client = new KafkaCommandClient(
            new Routing(64),
            new Traffic(new ClientLimits(8, 8, 2, 10_000, 10_000), PartitionCircuits.neverOpen()),
            work,
            completions,
            LocalPartitions.NONE,
            topic.listener);

    private static MockProducer<String, byte[]> producer() {
        return new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        work.flush();
        completions.flush();
        client.close();
    }

    private CompletableFuture<Reply> send(PartitionId log, Command command) {
        return client.send(log, "email", command, PATIENCE);
    }

    private List<CompletableFuture<Reply>> fill(PartitionId log, Command command) {
        List<CompletableFuture<Reply>> sent = new ArrayList<>();
        for (var next = send(log, command); !next.isDone(); next = send(log, command)) sent.add(next);
        return sent;
    }

    @Test
    void a_silent_log_takes_half_of_what_may_be_under_way_and_no_more() {
        assertThat(fill(SILENT, WORK)).hasSize(4);
        assertThatThrownBy(() -> Replies.await(send(SILENT, WORK))).isInstanceOf(TooManyInFlight.class);
        assertThat(send(WELL, WORK)).isNotDone();
        assertThat(client.traffic().inFlight(SILENT, TrafficClass.WORK)).isEqualTo(4);
        assertThat(client.traffic().rejected(SILENT)).isEqualTo(2);
        assertThat(client.traffic().rejected(WELL)).isZero();
        work.flush();
        assertThat(SentCommands.of(work)).hasSize(5);
    }

    @Test
    void a_client_that_has_got_a_reply_or_has_given_up_makes_room() throws Exception {
        List<CompletableFuture<Reply>> sent = fill(SILENT, WORK);
        topic.receives(replyTo(0), "{}");
        sent.get(0).get(20, SECONDS);
        sent.get(1).cancel(false);
        assertThat(client.traffic().inFlight(SILENT, TrafficClass.WORK)).isEqualTo(2);
        assertThat(fill(SILENT, WORK)).hasSize(2);
    }

    private ReplyTo replyTo(int number) {
        return Objects.requireNonNull(SentCommands.of(work).get(number).replyTo());
    }

    @Test
    void the_lanes_do_not_take_each_others_room() {
        fill(SILENT, WORK);
        assertThat(fill(SILENT, FETCHES.get(0))).hasSize(4);
        assertThat(fill(SILENT, WAITS.get(0))).hasSize(4);
        assertThat(fill(SILENT, new Tick())).hasSize(2);
        for (Command completion : COMPLETIONS)
            for (int i = 0; i < 2; i++) assertThat(send(WELL, completion)).isNotDone();
        assertThat(client.traffic().inFlight(WELL, TrafficClass.COMPLETIONS)).isEqualTo(12);
    }

    @Test
    void fetches_leave_the_room_of_new_jobs_alone() {
        Command wide = new Fetch(List.of("a", "b", "c"), 1, null, null, Duration.ZERO);
        fill(SILENT, wide);
        fill(WELL, wide);

        assertThat(client.traffic().saturation()).isZero();
        assertThat(send(SILENT, WORK)).isNotDone();
    }

    @Test
    void one_search_at_a_time_is_under_way_to_a_log() {
        for (int i = 0; i < 5; i++) assertThat(send(WELL, SEARCH)).isNotDone();
        work.flush();
        assertThat(SentCommands.of(work)).hasSize(1);
        assertThat(send(SILENT, SEARCH)).isNotDone();
        work.flush();
        assertThat(SentCommands.of(work)).hasSize(2);
    }

    private static TrafficClass classOf(Command command) {
        return CommandTypes.of(command).traffic(command);
    }

    @Test
    void every_command_has_its_lane() {
        assertThat(COMPLETIONS).extracting(SubQueuesTest::classOf).containsOnly(TrafficClass.COMPLETIONS);
        assertThat(PROBES).extracting(SubQueuesTest::classOf).containsOnly(TrafficClass.PROBES);
        assertThat(WAITS).extracting(SubQueuesTest::classOf).containsOnly(TrafficClass.WAITS);
        assertThat(WORKS).extracting(SubQueuesTest::classOf).containsOnly(TrafficClass.WORK);
        assertThat(FETCHES).extracting(SubQueuesTest::classOf).containsOnly(TrafficClass.FETCHES);
        assertThat(classOf(SEARCH)).isEqualTo(TrafficClass.SEARCHES);
    }

    @Test
    void completions_and_probes_do_not_pass_through_the_buffer_that_work_may_fill() {
        MockProducer<String, byte[]> forWork = producer();
        MockProducer<String, byte[]> forOthers = producer();
        List<Command> much = Collections.nCopies(33, WORK);
        try (var busy = new KafkaCommandClient(
                new Routing(64),
                new Traffic(new ClientLimits(100, 100, 2, 1_000_000, 10_000), PartitionCircuits.neverOpen()),
                forWork,
                forOthers,
                LocalPartitions.NONE,
                topic.listener)) {
            for (List<Command> commands : List.of(much, WAITS, WORKS, COMPLETIONS, PROBES))
                for (Command command : commands) {
                    var unused = busy.send(WELL, "email", command, PATIENCE);
                }
            forWork.flush();
            forOthers.flush();
            assertThat(SentCommands.of(forOthers)).hasSize(COMPLETIONS.size() + PROBES.size());
            assertThat(SentCommands.of(forWork)).hasSize(much.size() + WAITS.size() + WORKS.size());
        }
    }

    @Test
    void small_completions_travel_with_work_as_long_as_all_of_it_leaves_soon() throws Exception {
        List<CompletableFuture<Reply>> sent = new ArrayList<>(List.of(send(WELL, WORK)));
        for (Command completion : COMPLETIONS) sent.add(send(WELL, completion));
        for (int i = 0; i < 2; i++) SentCommands.acknowledgeNext(work);
        assertThat(SentCommands.of(work)).hasSameSizeAs(sent);
        assertThat(completions.history()).isEmpty();
    }

    @Test
    void a_partition_that_takes_no_records_fills_its_share_of_the_buffer_only() {
        // given
        Command large = new Enqueue(new byte[1_500], true);
        assertThat(fill(SILENT, large)).hasSize(2);
        assertThat(client.traffic().unacknowledgedBytes(SILENT)).isGreaterThan(3_000);
        // then
        assertThatThrownBy(() -> Replies.await(send(SILENT, large))).isInstanceOf(TooManyInFlight.class);
        assertThat(send(WELL, large)).isNotDone();
        // when
        work.completeNext();
        // then
        assertThat(send(SILENT, large)).isNotDone();
    }

    @Test
    void so_it_is_with_completions_whose_partition_takes_no_records() {
        Command large = new Ack(JOB, Claimant.UNNAMED, ("\"" + "x".repeat(1_500) + "\"").getBytes(UTF_8));
        assertThat(fill(SILENT, large)).hasSize(2);
        assertThat(send(WELL, large)).isNotDone();
        completions.completeNext();
        assertThat(send(SILENT, large)).isNotDone();
    }

    @Test
    void a_record_that_failed_makes_room_too() {
        fill(SILENT, new Enqueue(new byte[1_500], true));
        while (client.traffic().unacknowledgedBytes(SILENT) > 0)
            work.errorNext(new org.apache.kafka.common.errors.TimeoutException("dead"));
        assertThat(client.traffic().unacknowledgedBytes(SILENT)).isZero();
        assertThat(client.traffic().inFlight(SILENT, TrafficClass.WORK)).isZero();
    }
}
