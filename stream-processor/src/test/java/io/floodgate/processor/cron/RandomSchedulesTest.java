package io.floodgate.processor.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens: each planned time has one outcome, no run comes twice, and with {@code skip} no two are unfinished. */
public class RandomSchedulesTest extends CronFixture {
    private static final int STEPS = 60;

    private final List<String> active = new ArrayList<>();

    private boolean doubted;

    /** Planned times of the schedule before it was deleted and registered again. */
    private long decidedOfEarlier;

    /** The latest time that any clock has shown. */
    private Instant latest = Instant.MIN;

    /** Also a search for mutants. */
    public static void run(long seed) {
        new RandomSchedulesTest().each_occurrence_has_one_outcome(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void each_occurrence_has_one_outcome(long seed) {
        Random random = new Random(seed);
        OverlapPolicy overlap = one(random, OverlapPolicy.values());
        overlap(overlap);
        catchUp(one(random, CatchUp.LATEST, CatchUp.NONE, CatchUp.ALL));
        boolean isHere = random.nextBoolean();
        String queue = isHere ? here : there;
        TestPartition log = isHere ? home : other;
        jitter(Duration.ofSeconds(one(random, 0, 15)));
        String expression = one(random, "* * * * *", "*/7 * * * *", "*/20 * * * * *");
        log.receives(bound(
                queue,
                new QueueConfig(1L + random.nextInt(3), null, one(random, Overflow.REJECT, Overflow.BLOCK), null)));
        Instant registered = home.now();
        latest = registered;
        registers(expression, queue);
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(11)) {
                case 0 -> isDownFor(Duration.ofSeconds(random.nextInt(600)));
                case 1 -> home.restarts();
                case 2 -> other.restarts();
                case 3 -> take(log, queue);
                case 4 -> end(log, random);
                case 5 -> registers(expression, queue);
                case 6 -> latePlan();
                case 8 -> registered = deletesAndRegisters(expression, queue, registered);
                case 7 -> clockSteps(one(random, Duration.ofSeconds(1), Duration.ofHours(1)), random.nextBoolean());
                default -> passes(Duration.ofSeconds(random.nextInt(90)));
            }
            settles();
            if (home.now().isAfter(latest)) latest = home.now();
            if (overlap == OverlapPolicy.SKIP || overlap == OverlapPolicy.ENQUEUE)
                assertThat(unfinished()).isLessThanOrEqualTo(1);
            if (overlap == OverlapPolicy.SKIP)
                assertThat(shown().json().path("running").size()).isLessThanOrEqualTo(1);
        }
        check(expression, registered);
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }

    /** A slow planner appends what it found out about an expression that was changed since. */
    private void latePlan() {
        Instant now = home.now();
        SchedulePlan plan = new SchedulePlan(List.of(now.plusSeconds(1), now.plusSeconds(3)), List.of(), "9999z");
        home.receives(ask(new PlanSchedule(name, 0, now, plan)).unanswered());
    }

    /**
     * The clock of the brokers is set; what was decided before stays decided. Once it was set back by much, a partition does not
     * believe times far ahead that no sender confirms, until an operator has seen the alarm.
     */
    private void clockSteps(Duration by, boolean isAhead) {
        boolean isFar = by.compareTo(Duration.ofMinutes(1)) > 0;
        if (isFar && doubted) return;
        if (isFar && !isAhead) doubted = true;
        home.sleeps(isAhead ? by : by.negated());
        other.sleeps(isAhead ? by : by.negated());
        passes(Duration.ofMillis(1));
    }

    private Instant deletesAndRegisters(String expression, String queue, Instant registered) {
        tells(ask(new DeleteSchedule(name)));
        decidedOfEarlier += planned(expression, registered);
        latest = Instant.parse(registers(expression, queue).text("created_at"));
        return latest;
    }

    /** Runs that were begun, wherever they are: two are never begun under a policy that runs one at a time. */
    private long unfinished() {
        return shown().json()
                .path("running")
                .valueStream()
                .filter(run -> !run.path("waits_for_run").asBoolean())
                .count();
    }

    private void take(TestPartition log, String queue) {
        log.receives(fetch(queue).by("w"));
        cluster.collects();
        Answered answered = log.replies();
        if (answered.lines().isEmpty()) return;
        active.add(answered.shown().text("id"));
    }

    private void end(TestPartition log, Random random) {
        if (active.isEmpty()) return;
        String job = active.remove(random.nextInt(active.size()));
        switch (random.nextInt(3)) {
            case 0 -> log.receives(cancel(job).unanswered());
            case 1 -> log.receives(nack(job).by("w").unanswered());
            default -> log.receives(ack(job).by("w").unanswered());
        }
        cluster.collects();
    }

    private void check(String expression, Instant registered) {
        long decided = 0;
        Set<String> jobs = new HashSet<>();
        for (Shown outcome : outcomes) {
            decided += Math.max(1, outcome.json().at("/data/count").asLong(1));
            String job = outcome.json().at("/data/job_id").asString("");
            if (!job.isEmpty())
                assertThat(jobs.add(job)).as("%s is run twice", job).isTrue();
        }
        long waiting = shown().json()
                .path("running")
                .valueStream()
                .filter(run -> run.path("waits_for_room").asBoolean()
                        || run.path("waits_for_run").asBoolean())
                .count();
        assertThat(decided + waiting).isEqualTo(decidedOfEarlier + planned(expression, registered));
    }

    private long planned(String expression, Instant registered) {
        long planned = 0;
        for (Instant at = registered; ; planned++) {
            at = timing(expression, "UTC").next(at, registered, 1).getFirst();
            if (Occurrences.with(rules().jitter(), name, at).isAfter(latest)) return planned;
        }
    }
}
