package io.floodgate.processor.topology;

import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.fetch;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.CutOff;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.partition.StepTooLong;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.ForwardingKeyValues;
import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.State;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A step that never ends costs its command, and nothing else. */
class StepWatchTest {
    private static final Routing ROUTING = new Routing(1);
    private static final PartitionId HERE = ROUTING.logs().getFirst();
    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final String ENDLESS = "endless";
    private static final String JOB = "job-1";

    @TempDir
    private Path directory;

    private final AtomicLong cpu = new AtomicLong();
    private final AtomicInteger halts = new AtomicInteger();
    private final CutOff limits = new CutOff(LIMIT, halts::incrementAndGet);
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    private final State state = new State();
    private final MutedLogs expected = MutedLogs.of("io.floodgate.processor");

    @AfterEach
    void stop() {
        expected.close();
        looking.shutdownNow();
    }

    private StepWatch watch() {
        return new StepWatch(new CutOffSteps(directory), limits, thread -> cpu.get());
    }

    /** As it opens a partition: what was written since the last commit is gone. */
    private PartitionEngine open(StepWatch watch) {
        StepWatch.Watched steps = watch.watch(HERE, () -> "topic");
        Stores stores = state.copy().stores();
        KeyValues entities = stores.entities();
        KeyValues[] guarded = new KeyValues[1];
        KeyValues cursed = new Endless(entities, guarded);
        Stores all = steps.over(new Stores(stores.payloads(), stores.jobs(), cursed));
        guarded[0] = all.entities();
        return new PartitionEngine(HERE, ROUTING, all).limited(steps);
    }

    /** Reading about a queue of a certain name never ends. */
    private static final class Endless extends ForwardingKeyValues {
        private final KeyValues[] guarded;

        private Endless(KeyValues base, KeyValues[] guarded) {
            super(base);
            this.guarded = guarded;
        }

        @Override
        public byte[] get(byte[] key) {
            while (new String(key, UTF_8).contains(ENDLESS)) guarded[0].get(new byte[] {0});
            return base.get(key);
        }

        @Override
        public void put(byte[] key, byte[] value) {
            if (new String(key, UTF_8).contains(ENDLESS)) get(key);
            base.put(key, value);
        }
    }

    private static PartitionRecord record(long offset, Ask ask) {
        CommandCodec.Encoded encoded = CommandCodec.encode(ask.command());
        return new PartitionRecord(
                offset,
                Instant.parse("2026-01-01T12:00:00Z"),
                encoded.op(),
                encoded.value(),
                ReplyTo.parse("0:g:" + offset),
                null,
                0);
    }

    private static Reply reply(Outcome outcome) {
        return outcome.answers().getLast().reply();
    }

    @Test
    void an_endless_step_is_cut_off_and_rejected_wherever_its_record_is_executed_again() {
        PartitionRecord endless = record(1, enqueue(JOB).to(ENDLESS));
        StepWatch first = new StepWatch(
                new CutOffSteps(directory), limits, ManagementFactory.getThreadMXBean()::getThreadCpuTime);
        PartitionEngine engine = open(first);
        var unused = looking.scheduleWithFixedDelay(first::look, 20, 20, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> engine.apply(endless))
                .isInstanceOf(StoreFailure.class)
                .hasCauseInstanceOf(StepTooLong.class);
        for (int restart = 0; restart < 2; restart++) {
            PartitionEngine again = open(watch());
            assertThat(reply(again.apply(endless))).isInstanceOfSatisfying(Reply.Rejected.class, rejected -> {
                assertThat(rejected.rejection().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
                assertThat(rejected.rejection().toString()).contains("step_too_long");
            });
            assertThat(reply(again.apply(record(2, enqueue(JOB).to("other"))))).isNotInstanceOf(Reply.Rejected.class);
            assertThat(reply(again.apply(record(3, fetch("other"))))).isNotInstanceOf(Reply.Rejected.class);
        }
        assertThat(halts).hasValue(0);
    }

    @Test
    void a_step_fails_only_once_it_is_written_down() {
        StepWatch watch = watch();
        KeyValues[] guarded = new KeyValues[1];
        StepWatch.Watched steps = watch.watch(HERE, () -> {
            if (guarded[0] != null) guarded[0].get(new byte[] {0});
            return "topic";
        });
        steps.begin(7, 2);
        guarded[0] = steps.over(state.copy().stores()).entities();
        watch.look();
        cpu.addAndGet(LIMIT.toNanos() + 1);
        watch.look();
        assertThat(directory.resolve("cut-off-steps")).exists();
        assertThatThrownBy(() -> guarded[0].get(new byte[] {0})).isInstanceOf(StoreFailure.class);
    }

    @Test
    void a_step_that_waits_is_never_cut_off() {
        StepWatch watch = watch();
        StepWatch.Watched steps = watch.watch(HERE, () -> "topic");
        steps.begin(1, 1);
        for (int i = 0; i < 1_000; i++) watch.look();
        steps.end();
        assertThat(directory.resolve("cut-off-steps")).doesNotExist();
    }

    @Test
    void the_time_of_many_steps_is_not_that_of_one() {
        StepWatch watch = watch();
        StepWatch.Watched steps = watch.watch(HERE, () -> "topic");
        for (int step = 1; step < 100; step++) {
            steps.begin(1, step);
            watch.look();
            cpu.addAndGet(LIMIT.toNanos());
            watch.look();
            steps.end();
        }
        assertThat(directory.resolve("cut-off-steps")).doesNotExist();
    }

    @Test
    void a_step_that_does_not_look_at_a_store_again_is_reported_and_rejected_after_a_restart() throws Exception {
        StepWatch watch = watch();
        watch.watch(HERE, () -> "topic").begin(7, 2);
        watch.look();
        cpu.addAndGet(LIMIT.toNanos() + 1);
        watch.look();
        assertThat(halts).hasValue(0);
        assertThat(Files.readString(directory.resolve("cut-off-steps"))).isEqualTo("topic ojs.commands/0 7 2\n");
        cpu.addAndGet(LIMIT.toNanos() + 1);
        watch.look();
        assertThat(halts).hasValue(1);
        assertThatThrownBy(() -> watch().watch(HERE, () -> "topic").begin(7, 2)).isInstanceOf(StepTooLong.class);
    }

    @Test
    void offsets_of_a_topic_that_was_made_again_are_others() {
        new CutOffSteps(directory).add("topic", HERE, 7, 2);
        watch().watch(HERE, () -> "another").begin(7, 2);
    }

    @Test
    void a_step_that_ended_after_all_does_not_count_once_it_is_cut_off() {
        StepWatch watch = watch();
        StepWatch.Watched steps = watch.watch(HERE, () -> "topic");
        steps.begin(7, 2);
        watch.look();
        cpu.addAndGet(LIMIT.toNanos() + 1);
        watch.look();
        assertThatThrownBy(steps::end).isInstanceOf(StoreFailure.class);
    }
}
