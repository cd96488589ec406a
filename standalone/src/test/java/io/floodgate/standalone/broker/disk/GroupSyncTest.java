package io.floodgate.standalone.broker.disk;

import static io.floodgate.standalone.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupSyncTest {
    private static final TopicPartition COMMANDS = new TopicPartition("commands", 0);
    private static final TopicPartition CHANGES = new TopicPartition("changes", 0);

    private final Map<TopicPartition, Disk> logs =
            new ConcurrentHashMap<>(Map.of(COMMANDS, new Disk(), CHANGES, new Disk()));
    private final List<Map<TopicPartition, Long>> recorded = new CopyOnWriteArrayList<>();
    private final List<IOException> failures = new CopyOnWriteArrayList<>();
    private final GroupSync sync = new GroupSync(logs::get, Map.of(COMMANDS, 0L), recorded::add, failures::add);
    private final List<String> done = new CopyOnWriteArrayList<>();

    /** A log, and what of it is on the disk. */
    private static final class Disk implements GroupSync.SyncedLog {
        private final AtomicLong end = new AtomicLong();
        private final AtomicLong onDisk = new AtomicLong();
        private final AtomicInteger syncs = new AtomicInteger();
        /** A sync takes one of these. */
        private final Semaphore permits = new Semaphore(Integer.MAX_VALUE);

        private volatile @Nullable IOException failure;

        @Override
        public boolean isSame(GroupSync.@Nullable SyncedLog other) {
            return this == other;
        }

        @Override
        public long end() {
            return end.get();
        }

        @Override
        public void sync(long from) throws IOException {
            assertThat(onDisk.get()).isGreaterThanOrEqualTo(from);
            long upTo = end.get();
            permits.acquireUninterruptibly();
            IOException failed = failure;
            if (failed != null) throw failed;
            syncs.incrementAndGet();
            onDisk.set(upTo);
        }
    }

    private Disk disk(TopicPartition partition) {
        return logs.get(partition);
    }

    private long append(TopicPartition partition) {
        sync.grows(partition);
        return disk(partition).end.incrementAndGet();
    }

    private void awaitDone(String... names) throws Exception {
        until("all is done", () -> done.size() >= names.length);
        assertThat(done).containsExactly(names);
    }

    @AfterEach
    void close() {
        sync.close();
    }

    @Test
    void an_acknowledgement_waits_for_all_logs_that_have_grown() throws Exception {
        append(COMMANDS);
        append(CHANGES);
        sync.whenAllIsOnDisk(() -> done.add(disk(COMMANDS).onDisk + " and " + disk(CHANGES).onDisk));
        awaitDone("1 and 1");
    }

    @Test
    void those_who_come_while_a_sync_is_under_way_share_the_next_one() throws Exception {
        disk(COMMANDS).permits.drainPermits();
        append(COMMANDS);
        sync.whenAllIsOnDisk(() -> done.add("first"));
        until("a sync is under way", () -> disk(COMMANDS).permits.hasQueuedThreads());
        for (int i = 0; i < 100; i++) {
            append(COMMANDS);
            sync.whenAllIsOnDisk(() -> done.add("other"));
        }
        assertThat(done).isEmpty();
        disk(COMMANDS).permits.release(2);
        until("all have heard", () -> done.size() == 101);
        assertThat(disk(COMMANDS).syncs).hasValue(2);
    }

    @Test
    void what_is_on_the_disk_is_not_waited_for() throws Exception {
        long end = append(COMMANDS);
        sync.whenOnDisk(COMMANDS, end, () -> done.add("waited"));
        awaitDone("waited");
        long caller = Thread.currentThread().threadId();
        sync.whenOnDisk(
                COMMANDS, end, () -> done.add(Thread.currentThread().threadId() == caller ? "at once" : "later"));
        assertThat(done).containsExactly("waited", "at once");
    }

    @Test
    void actions_of_a_log_keep_their_order() throws Exception {
        disk(COMMANDS).permits.drainPermits();
        long first = append(COMMANDS);
        List<String> expected = new ArrayList<>();
        sync.whenOnDisk(COMMANDS, first, () -> sync.whenOnDisk(COMMANDS, first, () -> done.add("of the first")));
        for (int i = 0; i < 20; i++) {
            String name = "action " + i;
            expected.add(name);
            sync.whenOnDisk(COMMANDS, append(COMMANDS), () -> done.add(name));
        }
        disk(COMMANDS).permits.release(Integer.MAX_VALUE);
        expected.add("of the first");
        awaitDone(expected.toArray(String[]::new));
    }

    @Test
    void who_comes_while_others_are_told_is_told_behind_them() throws Exception {
        long end = append(COMMANDS);
        sync.whenOnDisk(COMMANDS, end, () -> {
            sync.whenOnDisk(COMMANDS, end, () -> done.add("second"));
            done.add("first");
        });
        awaitDone("first", "second");
    }

    @Test
    void how_far_each_log_is_on_the_disk_is_recorded() throws Exception {
        append(COMMANDS);
        sync.whenAllIsOnDisk(() -> done.add("synced"));
        until("it is recorded", () -> !recorded.isEmpty());
        append(CHANGES);
        sync.close();
        assertThat(recorded).containsExactly(Map.of(COMMANDS, 1L), Map.of(COMMANDS, 1L, CHANGES, 1L));
    }

    @Test
    void a_disk_that_fails_acknowledges_nothing_ever_after() throws Exception {
        disk(CHANGES).failure = new IOException("the disk is gone");
        append(COMMANDS);
        append(CHANGES);
        sync.whenAllIsOnDisk(() -> done.add("acknowledged"));
        until("the failure is known", () -> failures.size() == 1);
        disk(CHANGES).failure = null; // as Linux says, which reports a failed write once
        append(COMMANDS);
        sync.whenAllIsOnDisk(() -> done.add("acknowledged"));
        sync.close();
        assertThat(done).isEmpty();
        assertThat(failures).hasSize(1);
    }

    @Test
    void who_waits_for_a_log_that_is_deleted_or_made_again_goes_on() throws Exception {
        disk(COMMANDS).permits.drainPermits();
        long end = append(COMMANDS);
        append(COMMANDS);
        sync.whenOnDisk(COMMANDS, end, () -> done.add("first"));
        until("a sync is under way", () -> disk(COMMANDS).permits.hasQueuedThreads());
        sync.whenOnDisk(COMMANDS, end + 10, () -> done.add("of a record that is gone"));
        Disk before = logs.put(COMMANDS, new Disk());
        before.permits.release();
        awaitDone("first", "of a record that is gone");
        sync.whenOnDisk(COMMANDS, append(COMMANDS), () -> done.add("of the new log"));
        awaitDone("first", "of a record that is gone", "of the new log");
        assertThat(disk(COMMANDS).onDisk).hasValue(1);
    }
}
