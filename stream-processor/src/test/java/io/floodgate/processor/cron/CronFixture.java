package io.floodgate.processor.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.calendar.Planning;
import io.floodgate.topics.calendar.Timing;
import io.floodgate.topics.calendar.UnreadableExpression;
import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.CronCommand.EnableSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.CronCommand.TriggerSchedule;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Schedules whose home is one partition, and whose queue is in the same or in another one. Times are planned as by a processor. */
abstract class CronFixture extends Commands {
    static final int HOME = 0;
    static final int OTHER = 1;
    static final String EVERY_MINUTE = "* * * * *";

    final Cluster cluster = new Cluster(2);
    final TestPartition home = cluster.log(HOME);
    final TestPartition other = cluster.log(OTHER);
    final String here = Ids.queueIn(home.id(), cluster.routing(), "here");
    final String there = Ids.queueIn(other.id(), cluster.routing(), "there");
    final String name = nameIn(home);
    /** Types of events of schedules, with their reasons, since the beginning. */
    final List<String> heard = new ArrayList<>();

    final List<Shown> outcomes = new ArrayList<>();
    /** What is measured of them. */
    final List<Duration> lateness = new ArrayList<>();

    private final Set<String> known = new HashSet<>();

    private RunRules rules = RunRules.DEFAULT;
    private String zone = "UTC";

    private String nameIn(TestPartition log) {
        for (int n = 0; ; n++) {
            String one = "nightly-" + n;
            if (CronCommand.home(cluster.routing(), one).equals(log.id())) return one;
        }
    }

    RunRules rules() {
        return rules;
    }

    void in(String timezone) {
        zone = timezone;
    }

    void overlap(OverlapPolicy policy) {
        rules = new RunRules(policy, rules.catchUp(), rules.catchUpWindow(), rules.jitter(), rules.maxWait());
    }

    void catchUp(CatchUp policy) {
        rules = new RunRules(rules.overlap(), policy, rules.catchUpWindow(), rules.jitter(), rules.maxWait());
    }

    void jitter(Duration most) {
        rules = new RunRules(rules.overlap(), rules.catchUp(), rules.catchUpWindow(), most, rules.maxWait());
    }

    void maxWait(Duration most) {
        rules = new RunRules(rules.overlap(), rules.catchUp(), rules.catchUpWindow(), rules.jitter(), most);
    }

    static Timing timing(String expression, String timezone) {
        try {
            return Timing.parse(expression, timezone);
        } catch (UnreadableExpression unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    PutSchedule put(String expression, String queue, @Nullable Boolean enabled) {
        Timing timing = timing(expression, zone);
        byte[] job = json("{\"type\":\"report\",\"args\":[1.10],\"queue\":\"" + queue + "\"}");
        ScheduleSpec spec = new ScheduleSpec(
                expression,
                zone,
                timing.every(),
                new JobTemplate("report", queue, job, json("{\"team\":\"a\"}"), job),
                rules,
                null,
                null);
        return new PutSchedule(name, spec, enabled, null, Planning.plan(timing, home.now()));
    }

    static byte[] json(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Shown registers(String expression, String queue) {
        return tells(ask(put(expression, queue, null)));
    }

    Shown tells(Ask ask) {
        home.receives(ask);
        hears(home);
        Shown reply = home.replies().shown();
        settles();
        return reply;
    }

    /** Each event once, however often the partition is looked at. */
    private void hears(TestPartition log) {
        for (Event event : log.rawEvents())
            if (event.late() != null && !known.contains(event.id())) lateness.add(event.late());
        for (Shown event : log.events()) {
            if (!known.add(event.text("id"))) continue;
            String type = event.text("type");
            if (type.startsWith("cron.")) outcomes.add(event);
            if (type.equals("cron.triggered")) heard.add("triggered");
            if (type.equals("cron.skipped"))
                heard.add(event.json().at("/data/reason").asString()
                        + (event.json().at("/data/count").asInt(1) > 1
                                ? " " + event.json().at("/data/count").asInt()
                                : ""));
        }
    }

    /** Messages arrive, and a planner looks after what is wanted. */
    void settles() {
        hears(home);
        for (int round = 0; round < 20; round++) {
            List<WantedPlan> wanted = wanted("2000a");
            for (WantedPlan each : wanted) receives(plan(each));
            if (wanted.isEmpty()) break;
        }
        while (true) {
            cluster.collects();
            if (cluster.underway() == 0) return;
            cluster.deliversOne();
            hears(home);
        }
    }

    List<WantedPlan> wanted(String tzdata) {
        return home.engine().schedules().wantedPlans(tzdata, 10, (name, end) -> false);
    }

    private void receives(PlanSchedule plan) {
        home.receives(ask(plan).unanswered());
        hears(home);
        cluster.collects();
    }

    static PlanSchedule plan(WantedPlan wanted) {
        SchedulePlan plan = Planning.plan(timing(wanted.expression(), wanted.timezone()), wanted.from());
        return new PlanSchedule(wanted.name(), wanted.generation(), wanted.from(), plan);
    }

    /** Time passes in both partitions, a tick for each timer. */
    void passes(Duration time) {
        Instant end = home.now().plus(time);
        while (home.now().isBefore(end)) {
            Duration step = Duration.between(home.now(), end);
            Duration most = Duration.ofSeconds(30);
            Duration some = step.compareTo(most) < 0 ? step : most;
            home.after(some);
            hears(home);
            cluster.collects();
            other.after(some);
            settles();
        }
    }

    /** Nothing happens meanwhile: no processor is there. */
    void isDownFor(Duration time) {
        home.sleeps(time);
        other.sleeps(time);
        home.restarts();
        passes(Duration.ofMillis(1));
    }

    Shown shown() {
        home.receives(ask(new GetSchedule(name, true)));
        return home.replies().shown();
    }

    void enables(boolean enabled, boolean catchUp) {
        String expression = shown().text("expression");
        SchedulePlan plan = enabled ? Planning.plan(timing(expression, zone), home.now()) : SchedulePlan.NONE;
        tells(ask(new EnableSchedule(name, enabled, catchUp, plan)));
    }

    Ask trigger(boolean force) {
        return ask(new TriggerSchedule(name, force));
    }

    void heard(String... outcomes) {
        assertThat(heard).containsExactly(outcomes);
        heard.clear();
    }
}
