package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.limit.Permits;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.OnLimit;
import io.floodgate.topics.limit.Strategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** SubQueues of keys that come and go, beside a list that is sorted again at every step. */
class SubQueuesTest {
    private static final List<OnLimit> ON_LIMIT = List.of(OnLimit.values());

    private record Entry(int priority, long rank, String type, JobId job, PermitAccount account, OnLimit onLimit) {}

    private static final WantedFilter ONE_TYPE = new WantedFilter(WantedJobs.only(List.of("t1")));

    private final ReadyOrder order = new ReadyOrder();
    private final List<PermitAccount> accounts = new ArrayList<>();
    private final List<Entry> naive = new ArrayList<>();
    private Random random = new Random(0);

    @Test
    void agree_with_a_sorted_list_whatever_happens() {
        for (long seed = 0; seed < 50; seed++) new SubQueuesTest().walk(seed);
    }

    private void walk(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 5; i++) accounts.add(new PermitAccount("k" + i, new PartitionId(0), i));
        for (int step = 1; step <= 300; step++) {
            int what = random.nextInt(100);
            if (what < 50 || naive.isEmpty()) add(step);
            else if (what < 80) remove(naive.get(random.nextInt(naive.size())));
            else change(accounts.get(random.nextInt(accounts.size())));
            naive.sort(Comparator.comparingInt(Entry::priority).reversed().thenComparingLong(Entry::rank));
            check("seed %d, step %d".formatted(seed, step));
        }
    }

    private void add(long rank) {
        PermitAccount account = accounts.get(random.nextInt(accounts.size()));
        OnLimit onLimit = ON_LIMIT.get(random.nextInt(ON_LIMIT.size()));
        Entry added = new Entry(
                random.nextInt(-1, 2) * 50, rank, "t" + random.nextInt(3), new JobId(rank, rank), account, onLimit);
        naive.add(added);
        assertThat(order.add(standing(added), account, "q")).isTrue();
    }

    private void remove(Entry removed) {
        naive.remove(removed);
        assertThat(order.remove(standing(removed), removed.account)).isTrue();
    }

    private void change(PermitAccount account) {
        account.returnAll();
        account.held(random.nextBoolean() ? new Held(Strategy.RATE, 1, 1, null) : null);
        if (random.nextInt(3) == 0) account.stock(new PermitAccount.Lot(new Permits(1, 0, 0), 0, 0), 0);
        for (SubQueue subQueue : account.subQueues()) subQueue.queue.place(subQueue, account.standing());
    }

    private static IndexEntry standing(Entry entry) {
        IndexEntry.Limited limited = new IndexEntry.Limited(entry.account.key, entry.onLimit, false, false);
        int mark = TypeHash.of(entry.type, null);
        return new IndexEntry(
                entry.job, null, entry.priority, entry.rank, mark, null, 0, null, null, null, limited, null);
    }

    private void check(String where) {
        assertThat(order.first(Integer.MAX_VALUE)).as(where).isEqualTo(jobs(entry -> true));
        assertThat(order.first()).as(where).isEqualTo(first(entry -> entry.account.hasStock()));
        assertThat(order.first(ONE_TYPE))
                .as(where)
                .isEqualTo(first(entry -> entry.account.hasStock() && isOfThatType(entry)));
        checkAsked(where);
        assertThat(order.first(3))
                .as(where)
                .isEqualTo(jobs(entry -> true).stream().limit(3).toList());
        List<JobId> urgent = new ArrayList<>();
        order.visitLeastUrgent(job -> urgent.add(job) && urgent.size() < 2);
        List<Entry> least = new ArrayList<>(naive);
        least.sort(Comparator.comparingInt(Entry::priority).thenComparingLong(Entry::rank));
        assertThat(urgent)
                .as(where)
                .isEqualTo(least.stream().limit(2).map(Entry::job).toList());
        assertThat(List.copyOf(order.countByPriority().keySet()))
                .as(where)
                .isEqualTo(naive.stream().map(Entry::priority).distinct().toList());
        checkImpatient(where);
    }

    /** The first job that is wanted and of which nothing is known yet is asked for, if it comes before all that can start. */
    private void checkAsked(String where) {
        Entry open = naive.stream()
                .filter(entry -> !entry.account.hasStock() && entry.account.held() == null && isOfThatType(entry))
                .findFirst()
                .orElse(null);
        Entry stocked = naive.stream()
                .filter(entry -> entry.account.hasStock() && isOfThatType(entry))
                .findFirst()
                .orElse(null);
        boolean asks = open != null && (stocked == null || naive.indexOf(open) < naive.indexOf(stocked));
        SubQueue subQueue = order.toAskFor(ONE_TYPE);
        assertThat(subQueue == null ? null : subQueue.account).as(where).isEqualTo(asks ? open.account : null);
    }

    private static boolean isOfThatType(Entry entry) {
        return entry.type.equals("t1");
    }

    private void checkImpatient(String where) {
        List<SubQueue> impatient =
                order.subQueues() == null ? List.of() : order.subQueues().impatient(2, null);
        Predicate<Entry> isImpatient =
                entry -> !entry.account.hasStock() && entry.account.held() != null && entry.onLimit != OnLimit.WAIT;
        assertThat(impatient.isEmpty()).as(where).isEqualTo(naive.stream().noneMatch(isImpatient));
        if (!impatient.isEmpty())
            assertThat(impatient.getFirst().jobs.first()).as(where).isEqualTo(first(isImpatient));
    }

    private List<JobId> jobs(Predicate<Entry> which) {
        return naive.stream().filter(which).map(Entry::job).toList();
    }

    private JobId first(Predicate<Entry> which) {
        return naive.stream().filter(which).map(Entry::job).findFirst().orElse(null);
    }
}
