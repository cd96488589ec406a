package io.floodgate.processor.cron;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.CronCommand.BackfillSchedule;
import io.floodgate.topics.command.CronCommand.DeleteSchedule;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.CronCommand.KeepSchedules;
import io.floodgate.topics.command.CronCommand.PlanSchedule;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.cron.CatchUp;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** It is noon, and nothing has happened yet. */
class SchedulesTest extends CronFixture {
    private String job(TestPartition log, String queue) {
        log.receives(fetch(queue).by("w"));
        cluster.collects();
        settles();
        return log.replies().shown().text("id");
    }

    private void ends(TestPartition log, String job) {
        log.receives(ack(job).by("w"));
        cluster.collects();
        settles();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void it_runs_when_it_is_due_in_whatever_partition_its_queue_is(boolean isHere) {
        String queue = isHere ? here : there;
        TestPartition log = isHere ? home : other;
        assertThat(registers(EVERY_MINUTE, queue).text("next_run_at")).isEqualTo("2026-01-01T12:01:00.000Z");
        passes(ofSeconds(59));
        heard();
        passes(ofSeconds(1));
        heard("triggered");
        log.receives(fetch(queue).by("w"));
        Shown job = log.replies().shown();
        job.shows("type", "report").showsJson("args", "[1.10]").shows("meta.team", "a");
        job.shows("meta.cron_name", name).shows("meta.cron_scheduled_at", "2026-01-01T12:01:00.000Z");
        shown().shows("run_count", 1)
                .shows("last_run_at", "2026-01-01T12:01:00.000Z")
                .shows("next_run_at", "2026-01-01T12:02:00.000Z")
                .shows("last_job_id", job.text("id"));
    }

    @Test
    void a_restart_changes_nothing() {
        registers(EVERY_MINUTE, here);
        home.restarts();
        passes(ofMinutes(1));
        home.restarts();
        passes(ofSeconds(30));
        heard("triggered");
    }

    @Test
    void registering_it_again_changes_nothing_and_does_not_undo_a_pause() {
        registers(EVERY_MINUTE, here);
        passes(ofSeconds(30));
        enables(false, false);
        Shown again = registers(EVERY_MINUTE, here);
        again.shows("enabled", false).shows("generation", 1);
        assertThat(again.text("next_run_at")).isEmpty();
        passes(ofMinutes(5));
        heard();
        tells(ask(put(EVERY_MINUTE, here, true)));
        passes(ofMinutes(1));
        heard("disabled 5", "triggered");
    }

    @Test
    void another_expression_counts_from_now_on() {
        registers(EVERY_MINUTE, here);
        registers("*/5 * * * *", here).shows("generation", 2);
        passes(ofMinutes(4));
        heard();
        passes(ofMinutes(1));
        heard("triggered");
    }

    private void noTickFor(Duration time) {
        home.sleeps(time);
        other.sleeps(time);
    }

    /** A tick may be late: an occurrence has an outcome, whatever is done to its schedule before it comes. */
    @Test
    void what_was_due_before_a_pause_or_a_change_is_decided_first() {
        registers(EVERY_MINUTE, here);
        noTickFor(ofMinutes(1));
        enables(false, false);
        heard("triggered");
        noTickFor(ofMinutes(1));
        enables(true, false);
        heard("disabled");
        noTickFor(ofMinutes(1));
        registers("*/5 * * * *", here);
        heard("overlap_skip");
        noTickFor(ofMinutes(2));
        tells(ask(put(EVERY_MINUTE, here, false)));
        heard("overlap_skip");
    }

    @Test
    void the_plan_goes_on_without_an_end() {
        overlap(OverlapPolicy.ALLOW);
        registers("* * * * * *", here);
        home.unaudited();
        passes(ofMinutes(12));
        assertThat(heard).hasSize(720).containsOnly("triggered");
    }

    @Test
    void an_interval_needs_no_plan() {
        overlap(OverlapPolicy.ALLOW);
        registers("@every 90s", here).shows("next_run_at", "2026-01-01T12:01:30.000Z");
        passes(ofMinutes(3));
        heard("triggered", "triggered");
        isDownFor(ofMinutes(9));
        heard("missed 5", "triggered");
    }

    @Test
    void skip_waits_until_the_run_before_has_ended() {
        registers(EVERY_MINUTE, there);
        passes(ofMinutes(2));
        heard("triggered", "overlap_skip");
        String job = job(other, there);
        passes(ofMinutes(1));
        heard("overlap_skip");
        ends(other, job);
        passes(ofMinutes(1));
        heard("triggered");
        shown().shows("skipped_count", 2).shows("run_count", 2).shows("last_success_at", "2026-01-01T12:03:00.000Z");
    }

    @Test
    void allow_runs_them_side_by_side() {
        overlap(OverlapPolicy.ALLOW);
        registers(EVERY_MINUTE, there);
        passes(ofMinutes(3));
        heard("triggered", "triggered", "triggered");
        other.status(there).shows("available", 3);
    }

    @Test
    void too_many_queued_runs_are_warned_of() {
        Logger log = (Logger) LoggerFactory.getLogger(ScheduleRuns.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        log.addAppender(logged);
        log.setLevel(Level.WARN);
        try {
            overlap(OverlapPolicy.ENQUEUE);
            registers(EVERY_MINUTE, here);
            passes(ofMinutes(3));
            assertThat(logged.list).isEmpty();
            passes(ofMinutes(2));
        } finally {
            log.detachAppender(logged);
            log.setLevel(null);
        }
        assertThat(logged.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage())
                        .startsWith("Schedule '%s' runs one job at a time, and 3 jobs wait for the one before."
                                .formatted(name)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancel_previous_leaves_the_last_one(boolean isHere) {
        overlap(OverlapPolicy.CANCEL_PREVIOUS);
        registers(EVERY_MINUTE, isHere ? here : there);
        passes(ofMinutes(3));
        heard("triggered", "triggered", "triggered");
        (isHere ? home : other)
                .status(isHere ? here : there)
                .shows("available", 1)
                .shows("cancelled", 2);
    }

    @Test
    void what_was_missed_is_caught_up_by_the_last_one() {
        registers(EVERY_MINUTE, here);
        isDownFor(ofMinutes(10));
        heard("missed 9", "triggered");
        passes(ofSeconds(30));
        heard();
    }

    @Test
    void what_is_too_late_is_not_run() {
        registers("0 13 1 1 *", here);
        isDownFor(ofHours(30));
        heard("missed");
    }

    @Test
    void none_catches_up_nothing_and_all_everything() {
        catchUp(CatchUp.NONE);
        registers("*/5 * * * *", here);
        isDownFor(ofMinutes(17));
        heard("missed 3");
        tells(ask(new DeleteSchedule(name)));
        catchUp(CatchUp.ALL);
        overlap(OverlapPolicy.ALLOW);
        registers("*/5 * * * *", here);
        isDownFor(ofMinutes(17));
        heard("triggered", "triggered", "triggered");
    }

    private void isFull(Overflow strategy) {
        home.receives(bound(here, new QueueConfig(1L, null, strategy, null)));
        home.receives(enqueue("a").to(here), fetch(here).by("w"));
    }

    @Test
    void a_full_queue_skips_a_run_or_has_it_wait_if_it_blocks() {
        isFull(Overflow.REJECT);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(1));
        heard("queue_full");
        home.receives(bound(here, new QueueConfig(1L, null, Overflow.BLOCK, null)));
        passes(ofMinutes(1));
        heard();
        assertThat(shown().json().at("/running/0/waits_for_room").asBoolean()).isTrue();
        home.receives(ack("a").by("w"));
        settles();
        heard("triggered");
    }

    @Test
    void a_run_waits_for_one_period_at_most() {
        isFull(Overflow.BLOCK);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(2));
        heard("queue_full");
    }

    @Test
    void a_run_with_max_wait_waits_whatever_the_queue_says() {
        isFull(Overflow.REJECT);
        maxWait(ofSeconds(20));
        registers(EVERY_MINUTE, here);
        passes(ofSeconds(79));
        heard();
        passes(ofSeconds(1));
        heard("queue_full");
    }

    @Test
    void a_paused_queue_takes_one_run_and_no_pile() {
        home.receives(enqueue("a").to(here), pause(here));
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(3));
        heard("triggered", "overlap_skip", "overlap_skip");
    }

    @Test
    void queues_that_do_not_take_a_run_are_the_reason() {
        String waiting = Ids.nicknameIn(other.id(), cluster.routing(), "a");
        other.receives(
                enqueue(waiting).to(there), decide(there, QueuePolicy.NONE.with(new Access(List.of("other.*"), null))));
        registers(EVERY_MINUTE, there);
        passes(ofMinutes(1));
        heard("type_not_allowed");
        other.receives(decide(there, QueuePolicy.NONE.with(new Access(List.of("*"), List.of("billing")))));
        passes(ofMinutes(1));
        heard("producer_not_allowed");
        other.receives(delete(there, Deletion.DRAIN));
        passes(ofMinutes(1));
        heard("queue_draining");
    }

    @Test
    void its_jobs_come_in_the_name_of_who_has_registered_it() {
        other.receives(decide(there, QueuePolicy.NONE.with(new Access(List.of("*"), List.of("billing")))));
        tells(ask(put(EVERY_MINUTE, there, null)).sentBy(new Identity("billing", null, null)));
        passes(ofMinutes(1));
        heard("triggered");
    }

    @Test
    void local_times_that_do_not_exist_are_skipped() {
        in("America/New_York");
        isDownFor(Duration.between(home.now(), Instant.parse("2026-03-08T05:00:00Z")));
        registers("30 2 * * *", here);
        passes(ofHours(3));
        heard("dst_skip");
        passes(ofDays(1));
        heard("triggered");
    }

    @Test
    void two_planners_do_no_harm() {
        registers("0 0 * * 0", here);
        Shown before = shown();
        Instant end = Instant.parse(before.text("planned_until"));
        SchedulePlan wrong = new SchedulePlan(List.of(home.now().plusSeconds(5)), List.of(), before.text("tzdata"));
        home.receives(ask(new PlanSchedule(name, 1, end.minusSeconds(1), wrong)).unanswered());
        // It goes on where the last one ends, but is of another generation.
        SchedulePlan other = new SchedulePlan(List.of(end.plusSeconds(5)), List.of(), before.text("tzdata"));
        home.receives(ask(new PlanSchedule(name, 2, end, other)).unanswered());
        SchedulePlan old = new SchedulePlan(List.of(end.plusSeconds(5)), List.of(), "1999a");
        home.receives(ask(new PlanSchedule(name, 1, end, old)).unanswered());
        assertThat(shown().text("planned_until")).isEqualTo(before.text("planned_until"));
        passes(ofMinutes(1));
        heard();
    }

    @Test
    void a_newer_time_zone_database_changes_what_is_to_come() {
        registers("0 13 * * *", here);
        SchedulePlan newer = new SchedulePlan(List.of(home.now().plusSeconds(90)), List.of(), "9999z");
        home.receives(ask(new PlanSchedule(name, 1, home.now(), newer)).unanswered());
        shown().shows("next_run_at", home.now().plusSeconds(90)).shows("tzdata", "9999z");
        assertThat(wanted("9999z")).hasSize(1);
    }

    @Test
    void it_can_be_run_by_hand() {
        registers("0 0 1 1 *", there);
        home.receives(trigger(false));
        cluster.collects();
        settles();
        String job = home.replies().shown().text("job_id");
        assertThat(other.job(job).text("state")).isEqualTo("available");
        home.receives(trigger(false)).rejects(ErrorCode.CONFLICT).with("active_job_id", job);
        home.receives(trigger(true));
        cluster.collects();
        settles();
        home.replies().shown();
        other.status(there).shows("available", 2);
        shown().shows("run_count", 2).shows("history.0.manual", true);
    }

    @Test
    void it_is_measured_how_late_a_run_is_but_not_of_one_by_hand() {
        overlap(OverlapPolicy.ALLOW);
        registers(EVERY_MINUTE, here);
        tells(trigger(false));
        assertThat(heard).containsExactly("triggered");
        assertThat(lateness).isEmpty();
        isDownFor(ofSeconds(61));
        assertThat(heard).containsExactly("triggered", "triggered");
        assertThat(lateness).hasSize(1);
        assertThat(lateness.getFirst().toMillis())
                .isEqualTo(outcomes.getLast().json().at("/data/late_ms").asLong())
                .isBetween(1_000L, 61_000L);
    }

    @Test
    void who_wants_it_to_run_now_hears_that_there_is_no_room() {
        isFull(Overflow.REJECT);
        registers("0 0 1 1 *", here);
        home.receives(trigger(false)).rejects(ErrorCode.QUEUE_FULL);
        shown().shows("skipped_count", 1).shows("history.0.reason", "queue_full");
    }

    @Test
    void times_of_the_past_are_run_by_hand_and_each_has_an_outcome() {
        overlap(OverlapPolicy.ALLOW);
        registers("0 0 1 1 *", there);
        Instant past = home.now().minus(ofDays(1));
        tells(ask(new BackfillSchedule(name, List.of(past, past.plusSeconds(60)))));
        heard("triggered", "triggered");
        shown().shows("history.0.manual", true)
                .shows("history.0.scheduled_at", past.plusSeconds(60))
                .shows("next_run_at", "2027-01-01T00:00:00.000Z");
        other.status(there).shows("available", 2);
        home.receives(ask(new BackfillSchedule(name, List.of(home.now().plusSeconds(1)))))
                .rejects(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void a_backfill_keeps_to_the_overlap_policy() {
        registers("0 0 1 1 *", here);
        Instant past = home.now().minus(ofDays(1));
        Shown answer = tells(ask(new BackfillSchedule(name, List.of(past, past.plusSeconds(60)))));
        answer.shows("runs.0.scheduled_at", past).shows("runs.1.reason", "overlap_skip");
        assertThat(heard).containsExactlyInAnyOrder("triggered", "overlap_skip");
    }

    @Test
    void a_long_backfill_lets_other_commands_pass_and_ends_after_a_restart() {
        overlap(OverlapPolicy.ALLOW);
        registers("0 0 1 1 *", here);
        Instant past = home.now().minus(ofDays(1));
        List<Instant> times = Stream.iterate(past, time -> time.plusSeconds(60))
                .limit(2 * Backfills.SLICE + 1)
                .toList();
        home.receives(ask(new BackfillSchedule(name, times)).as("operator"));
        home.keepsWaiting("operator");
        home.status(here).shows("available", Backfills.SLICE);
        home.restarts().receives(tick());
        home.status(here).shows("available", 2 * Backfills.SLICE);
        Shown reply = home.receives(tick()).repliesTo("operator").shown();
        assertThat(reply.json().at("/runs")).hasSize(times.size());
        reply.shows("runs.0.scheduled_at", past);
        home.status(here).shows("available", times.size());
        shown().shows("run_count", times.size());
    }

    @Test
    void a_backfill_ends_with_its_schedule() {
        overlap(OverlapPolicy.ALLOW);
        registers("0 0 1 1 *", here);
        Instant past = home.now().minus(ofDays(1));
        List<Instant> times = Stream.iterate(past, time -> time.plusSeconds(60))
                .limit(Backfills.SLICE + 1)
                .toList();
        home.receives(ask(new BackfillSchedule(name, times)).as("operator"));
        home.receives(ask(new DeleteSchedule(name))).sleeps(ofMillis(1));
        home.receives(ask(put("0 0 1 1 *", here, null)));
        Shown reply = home.receives(tick()).repliesTo("operator").shown();
        assertThat(reply.json().at("/runs")).hasSize(Backfills.SLICE);
        home.status(here).shows("available", Backfills.SLICE);
    }

    @Test
    void maintenance_holds_one_run_and_no_pile() {
        home.receives(enqueue("a").to(here), maintain(true));
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(3));
        heard("triggered", "overlap_skip", "overlap_skip");
    }

    @Test
    void how_long_it_has_not_succeeded_is_known() {
        registers(EVERY_MINUTE, here);
        Instant registered = home.now();
        assertThat(standing()).isEqualTo(new ScheduleStanding(registered.toEpochMilli(), 60_000));
        passes(ofMinutes(2));
        assertThat(standing()).isEqualTo(new ScheduleStanding(registered.toEpochMilli(), 60_000));
        ends(home, job(home, here));
        assertThat(standing()).isEqualTo(new ScheduleStanding(home.now().toEpochMilli(), 60_000));
        home.restarts();
        assertThat(standing()).isEqualTo(new ScheduleStanding(home.now().toEpochMilli(), 60_000));
        enables(false, false);
        assertThat(standing()).isNull();
    }

    @Test
    void one_that_is_not_planned_any_more_is_counted() {
        home.receives(ask(put("0 * * * *", here, null)));
        home.after(ofDays(30)); // no planner is there
        assertThat(home.engine().schedules().unplanned()).isOne();
        home.restarts();
        assertThat(home.engine().schedules().unplanned()).isOne();
        enables(false, false);
        assertThat(home.engine().schedules().unplanned()).isZero();
        enables(true, false);
        assertThat(home.engine().schedules().unplanned()).isZero();
    }

    private @Nullable ScheduleStanding standing() {
        Map<String, @Nullable ScheduleStanding> found = new HashMap<>();
        home.engine().schedules().takeStandings(found::put);
        assertThat(found).containsOnlyKeys(name);
        return found.get(name);
    }

    @Test
    void resuming_catches_up_only_if_that_is_wanted() {
        registers(EVERY_MINUTE, here);
        enables(false, false);
        passes(ofMinutes(3));
        enables(true, true);
        heard("disabled 2", "triggered");
    }

    @Test
    void a_schedule_that_is_removed_leaves_its_jobs() {
        registers(EVERY_MINUTE, there);
        passes(ofMinutes(1));
        tells(ask(new DeleteSchedule(name))).shows("name", name);
        home.receives(ask(new DeleteSchedule(name))).rejects(ErrorCode.NOT_FOUND);
        String job = job(other, there);
        ends(other, job);
        heard.clear();
        passes(ofMinutes(5));
        heard();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_name_that_is_deleted_and_registered_again_keeps_its_run_and_its_history(boolean isHere) {
        TestPartition log = isHere ? home : other;
        String queue = isHere ? here : there;
        registers(EVERY_MINUTE, queue);
        passes(ofMinutes(1));
        String job = job(log, queue);
        tells(ask(new DeleteSchedule(name)));
        home.restarts();
        Shown again = registers(EVERY_MINUTE, queue);
        again.shows("run_count", 0).shows("running.0.job_id", job);
        assertThat(again.text("last_run_at")).isEmpty();
        passes(ofMinutes(1));
        heard("triggered", "overlap_skip");
        ends(log, job);
        passes(ofMinutes(1));
        heard("triggered");
        shown().shows("history.2.job_id", job).shows("history.2.state", "completed");
    }

    @Test
    void a_run_that_outlives_its_deleted_schedule_has_its_outcome() {
        other.receives(
                bound(there, new QueueConfig(1L, null, Overflow.BLOCK, null)),
                enqueue(Ids.nicknameIn(other.id(), cluster.routing(), "a")).to(there));
        registers(EVERY_MINUTE, there);
        passes(ofMinutes(1));
        heard();
        tells(ask(new DeleteSchedule(name)));
        home.restarts();
        ends(other, job(other, there));
        heard("triggered");
        home.receives(ask(new GetSchedule(name, true))).rejects(ErrorCode.NOT_FOUND);
    }

    @Test
    void a_deleted_name_is_forgotten_a_day_later_when_its_runs_have_ended() {
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(1));
        String job = job(home, here);
        tells(ask(new DeleteSchedule(name)));
        ends(home, job);
        passes(ofHours(24));
        assertThat(registers(EVERY_MINUTE, here).json().path("running")).isEmpty();
        assertThat(shown().json().path("history")).isEmpty();
    }

    @Test
    void another_tenant_that_takes_a_deleted_name_sees_nothing_of_its_runs() {
        tells(ask(put(EVERY_MINUTE, here, null)).sentBy(new Identity("a", List.of(here), "one")));
        passes(ofMinutes(1));
        tells(ask(new DeleteSchedule(name)));
        Shown taken = tells(ask(put(EVERY_MINUTE, here, null)).sentBy(new Identity("b", List.of(here), "two")));
        assertThat(taken.json().path("running")).isEmpty();
        assertThat(shown().json().path("history")).isEmpty();
    }

    @Test
    void what_was_due_before_a_schedule_is_deleted_is_decided_first() {
        registers(EVERY_MINUTE, there);
        noTickFor(ofSeconds(90));
        tells(ask(new DeleteSchedule(name)));
        heard("triggered");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void enqueue_runs_the_next_one_after_the_last_attempt_of_the_run_before(boolean isHere) {
        TestPartition log = isHere ? home : other;
        String queue = isHere ? here : there;
        overlap(OverlapPolicy.ENQUEUE);
        registers(EVERY_MINUTE, queue);
        passes(ofMinutes(1));
        String first = job(log, queue);
        log.receives(nack(first).by("w"));
        passes(ofMinutes(2));
        home.restarts();
        heard("triggered");
        shown().shows("running.1.waits_for_run", true).shows("running.1.waits_for_room", false);
        assertThat(job(log, queue)).isEqualTo(first);
        log.receives(fetch(queue).by("w"));
        assertThat(log.replies().lines()).isEmpty();
        ends(log, first);
        heard("triggered");
        String second = job(log, queue);
        assertThat(second).isNotEqualTo(first);
        ends(log, second);
        heard("triggered");
    }

    @Test
    void an_operator_who_triggers_a_run_learns_that_it_waits_for_the_run_before() {
        overlap(OverlapPolicy.ENQUEUE);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(1));
        tells(trigger(false)).shows("waits_for_run", true).shows("waits_for_room", false);
        heard("triggered");
    }

    @Test
    void runs_that_wait_for_a_run_are_skipped_when_the_schedule_is_deleted_or_cancels_them() {
        overlap(OverlapPolicy.ENQUEUE);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(3));
        heard("triggered");
        overlap(OverlapPolicy.CANCEL_PREVIOUS);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(1));
        heard("cancelled", "cancelled", "triggered");
        overlap(OverlapPolicy.ENQUEUE);
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(1));
        tells(ask(new DeleteSchedule(name)));
        heard("cancelled");
    }

    private void registers(@Nullable String manager) {
        tells(managedBy(manager, null));
    }

    private Ask managedBy(@Nullable String manager, @Nullable Long expected) {
        PutSchedule plain = put(EVERY_MINUTE, here, null);
        var spec = plain.spec();
        var managed =
                new ScheduleSpec(spec.expression(), spec.timezone(), null, spec.job(), spec.rules(), manager, null);
        return ask(new PutSchedule(name, managed, null, expected, plain.plan()));
    }

    @Test
    void a_manager_does_not_take_the_schedule_of_another_one_by_accident() {
        registers("app");
        home.receives(managedBy("other", null)).rejects(ErrorCode.CONFLICT);
        tells(managedBy("other", 1L)).shows("managed_by", "other");
        home.restarts();
        home.receives(managedBy("app", null)).rejects(ErrorCode.CONFLICT);
        tells(ask(new DeleteSchedule(name)));
        tells(managedBy("app", null)).shows("managed_by", "app");
    }

    @Test
    void a_manager_is_known_after_a_restart_and_after_it_has_changed() {
        registers("app");
        home.restarts();
        tells(managedBy("other", 1L));
        tells(ask(new KeepSchedules("app", List.of()))).showsJson("removed", "[]");
        registers(null);
        tells(ask(new KeepSchedules("other", List.of()))).showsJson("removed", "[]");
        registers("app");
        home.restarts();
        tells(ask(new KeepSchedules("app", List.of()))).showsJson("removed", "['" + name + "']");
        registers("other");
        tells(ask(new KeepSchedules("app", List.of()))).showsJson("removed", "[]");
    }

    @Test
    void a_manager_removes_what_it_does_not_list() {
        registers("app");
        tells(ask(new KeepSchedules("other", List.of()))).showsJson("removed", "[]");
        tells(ask(new KeepSchedules("app", List.of(name)))).showsJson("removed", "[]");
        tells(ask(new KeepSchedules("app", List.of()))).showsJson("removed", "['" + name + "']");
    }

    @Test
    void jitter_puts_a_run_off_by_the_same_time_after_each_restart() {
        jitter(ofSeconds(30));
        registers(EVERY_MINUTE, here);
        passes(ofSeconds(60));
        home.restarts();
        passes(ofSeconds(30));
        heard("triggered");
    }

    @Test
    void a_confined_key_sees_schedules_of_its_queues_only() {
        registers(EVERY_MINUTE, here);
        home.receives(ask(new GetSchedule(name, false)).sentBy(new Identity("b", List.of("x"), null)))
                .rejects(ErrorCode.NOT_FOUND);
        home.receives(ask(put(EVERY_MINUTE, here, null)).sentBy(new Identity("b", List.of("x"), null)))
                .rejects(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void a_reset_forgets_all() {
        registers(EVERY_MINUTE, here);
        home.receives(reset());
        passes(ofMinutes(2));
        heard();
        home.receives(ask(new GetSchedule(name, false))).rejects(ErrorCode.NOT_FOUND);
    }

    @Test
    void a_clock_that_was_ahead_repeats_nothing() {
        registers(EVERY_MINUTE, here);
        passes(ofMinutes(5));
        heard.clear();
        home.sleeps(ofMinutes(-3));
        home.after(ofMillis(1));
        passes(ofMinutes(2));
        assertThat(heard).doesNotContain("triggered");
    }

    private Shown failing() {
        home.receives(ask(new Inspect()));
        return home.replies().shown();
    }

    @Test
    void it_fails_after_three_runs_in_a_row_without_success_until_one_succeeds() {
        registers(EVERY_MINUTE, here);
        for (int run = 1; run <= 3; run++) {
            failing().shows("failing_schedules.count", 0);
            passes(ofMinutes(1));
            String job = job(home, here);
            home.receives(ask(new Nack(
                    JobId.parse(job).orElseThrow(),
                    Claimant.UNNAMED,
                    new ErrorReport("E", "E", "no", false, new byte[] {0x7b, 0x7d}, null),
                    false)));
            cluster.collects();
            settles();
        }
        home.restarts();
        failing().shows("failing_schedules.count", 1).shows("failing_schedules.first.0", name);
        passes(ofMinutes(1));
        ends(home, job(home, here));
        failing().shows("failing_schedules.count", 0);
    }
}
