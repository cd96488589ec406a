package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order of what is ready beside a list that is sorted again at every step. */
class ReadyOrderTest {
    private record Entry(
            int priority, long rank, String type, @Nullable JobVersion version, JobId job) {
        private IndexEntry standing() {
            return new IndexEntry(
                    job, null, priority, rank, TypeHash.of(type, version), null, 0, null, null, null, null, null);
        }
    }

    private static Entry entry(int priority, long rank, String type, @Nullable JobVersion version) {
        return new Entry(priority, rank, type, version, new JobId(rank, 0x8000_0000_0000_0000L | rank));
    }

    private static final List<WantedJobs> CHOICES = List.of(
            WantedJobs.only(List.of("t1")),
            WantedJobs.only(List.of("t0", "t3")),
            WantedJobs.only(List.of("other")),
            WantedJobs.allBut(List.of("t2")),
            WantedJobs.allBut(List.of("t0", "t1", "t2", "t3")),
            WantedJobs.ALL.accepting(Map.of("t1", range(">=1.2 <2.3"))),
            WantedJobs.ALL.accepting(Map.of("t1", range("1.x"), "t2", range("2.9"))),
            WantedJobs.only(List.of("t1")).accepting(Map.of("t1", range(">=2.0"))),
            WantedJobs.allBut(List.of("t2")).accepting(Map.of("t0", range("<1.5", "4.x"), "t2", range("1.0"))));

    private static VersionRange range(String... texts) {
        try {
            return VersionRange.parse(List.of(texts));
        } catch (UnreadableRange wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    /** Few enough that each has bits of its own. */
    private static @Nullable JobVersion version(Random random) {
        return random.nextInt(3) == 0 ? null : new JobVersion(random.nextInt(23), random.nextInt(6));
    }

    @Test
    void agrees_with_a_sorted_list_whatever_happens() {
        for (long seed = 0; seed < 50; seed++) walk(seed);
    }

    private static void walk(long seed) {
        Random random = new Random(seed);
        ReadyOrder order = new ReadyOrder();
        List<Entry> naive = new ArrayList<>();
        for (int step = 1; step <= 500; step++) {
            if (random.nextInt(100) < 55 || naive.isEmpty()) {
                Entry added = entry(random.nextInt(-2, 3) * 50, step, "t" + random.nextInt(4), version(random));
                order.add(added.standing(), null, "q");
                naive.add(added);
            } else {
                Entry removed = naive.remove(random.nextInt(3) == 0 ? random.nextInt(naive.size()) : 0);
                order.remove(removed.standing(), null);
            }
            naive.sort(Comparator.comparingInt(Entry::priority).reversed().thenComparingLong(Entry::rank));
            String where = "seed %d, step %d".formatted(seed, step);
            assertThat(order.first()).as(where).isEqualTo(naive.isEmpty() ? null : naive.getFirst().job);
            for (WantedJobs types : CHOICES)
                assertThat(order.first(new WantedFilter(types)))
                        .as("%s, %s", where, types)
                        .isEqualTo(naive.stream()
                                .filter(entry -> types.have(entry.type, entry.version))
                                .map(Entry::job)
                                .findFirst()
                                .orElse(null));
            assertThat(order.size()).as(where).isEqualTo(naive.size());
            assertThat(order.isEmpty()).as(where).isEqualTo(naive.isEmpty());
            assertThat(order.heads()).as(where).isEqualTo(heads(naive));
        }
    }

    private static List<JobId> heads(List<Entry> sorted) {
        List<JobId> heads = new ArrayList<>();
        Integer last = null;
        for (Entry entry : sorted) {
            if (last == null || last != entry.priority) heads.add(entry.job);
            last = entry.priority;
        }
        return heads;
    }
}
