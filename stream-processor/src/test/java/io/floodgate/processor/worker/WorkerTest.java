package io.floodgate.processor.worker;

import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Directive;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerTest extends PartitionTest {
    private static final Identity ONE = new Identity("one", List.of("q"), null);
    private static final Identity OTHER = new Identity("other", List.of("mine"), null);

    /** Beats every five seconds, as every OJS client does. */
    private void beatsFor(Duration time, String worker) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusSeconds(5))
            log.after(ofSeconds(5)).receives(beat(worker));
    }

    @Test
    void begins_with_its_first_heartbeat() {
        log.receives(beat("w1")).emits("worker.started");
        log.replies().shown().is("running").shows("server_time", TestPartition.START);
        log.event("worker.started").shows("worker_id", "w1").shows("about.hostname", "h");
        log.sleeps(ofSeconds(5)).receives(beat("w1")).emits();
        log.worker("w1")
                .shown()
                .is("running")
                .shows("worker_id", "w1")
                .shows("started_at", TestPartition.START)
                .shows("last_heartbeat_at", TestPartition.START.plusSeconds(5))
                .shows("about.hostname", "h");
    }

    @Test
    void what_it_has_declared_of_versions_counts_until_it_is_lost_or_declares_others() {
        log.receives(declaring("1.x"), beat("w1"));
        assertVersions("[\"1.x\"]");
        log.worker("w1").shown().shows("about.hostname", "h");
        log.receives(declaring("2.x"), beat("w1")).restarts();
        assertVersions("[\"2.x\"]");
        log.after(ofMinutes(1)).receives(beat("w1"));
        log.worker("w1").shown().hides("about.versions");
    }

    private static Ask declaring(String range) {
        String about = "{\"versions\":{\"mail\":[\"%s\"]}}".formatted(range);
        return ask(new Beat("w1", about.getBytes(StandardCharsets.UTF_8)));
    }

    private void assertVersions(String versions) {
        log.worker("w1").shown().showsJson("about.versions.mail", versions);
    }

    @Test
    void is_unknown_before() {
        log.receives(getWorker("w1")).rejects(NOT_FOUND).with("resource_type", "worker");
    }

    @Test
    void is_lost_after_thirty_seconds_of_silence_and_its_jobs_are_for_others_at_once() {
        // given
        log.receives(beat("w1"), enqueue("j1"), enqueue("j2"), fetch().count(2).by("w1"));
        // when
        log.after(ofSeconds(30).minusMillis(1)).emits().job("j1").is("active");
        log.after(ofMillis(1));
        // then
        log.emits("worker.stopped", "job.failed", "job.available", "job.failed", "job.available");
        log.event("worker.stopped").shows("reason", "heartbeat_timeout");
        log.job("j1")
                .is("available")
                .shows("error.type", "worker_death")
                .shows("attempt", 1)
                .hides("worker_id");
        log.worker("w1").shown().is("lost").shows("last_heartbeat_at", TestPartition.START);
        log.receives(fetch().count(2).by("w2")).replies().jobs("j1", "j2");
    }

    @Test
    void that_keeps_beating_keeps_its_jobs() {
        log.receives(beat("w1"), enqueue("j1"), fetch().by("w1").lease(ofMinutes(10)));
        beatsFor(ofMinutes(5), "w1");
        log.job("j1").is("active");
    }

    @Test
    void that_could_not_be_heard_of_is_not_lost_if_it_beats_within_ten_seconds() {
        // given
        log.receives(beat("w1"), enqueue("j1"), fetch().by("w1").lease(ofMinutes(10)));
        // when
        log.sleeps(ofMinutes(1)).receives(tick()).emits();
        log.after(ofSeconds(29)).receives(beat("w1"));
        // then
        log.after(ofSeconds(20)).receives(ack("j1").by("w1"));
        log.job("j1").is("completed");
    }

    @Test
    void that_could_not_be_heard_of_and_is_still_silent_thirty_seconds_later_is_lost() {
        log.receives(beat("w1"), enqueue("j1"), fetch().by("w1").lease(ofMinutes(10)));
        log.sleeps(ofMinutes(1)).receives(tick());
        log.after(ofSeconds(30).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).job("j1").is("available").shows("error.type", "worker_death");
    }

    @Test
    void is_not_lost_because_another_client_beat_in_its_name_and_stopped() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofMinutes(10)).sentBy(ONE));
        log.receives(beat("w1").sentBy(OTHER));
        log.sleeps(ofMinutes(1)).receives(tick());
        log.job("j1").is("active");
        log.receives(beat("w1").sentBy(OTHER), leave("w1").sentBy(OTHER));
        log.job("j1").is("active");
    }

    @Test
    void is_lost_although_another_client_beats_in_its_name() {
        log.receives(beat("w1").sentBy(ONE), enqueue("j1"));
        log.receives(fetch().by("w1").lease(ofMinutes(10)).sentBy(ONE));
        log.restarts();
        for (int i = 0; i < 7; i++) log.after(ofSeconds(5)).receives(beat("w1").sentBy(OTHER));
        log.job("j1").is("available").shows("error.type", "worker_death");
    }

    @Test
    void keeps_its_jobs_by_its_heartbeats_under_its_key() {
        log.receives(beat("w1").sentBy(ONE), enqueue("j1"));
        log.receives(fetch().by("w1").lease(ofMinutes(10)).sentBy(ONE));
        for (int i = 0; i < 12; i++) log.after(ofSeconds(5)).receives(beat("w1").sentBy(ONE));
        log.job("j1").is("active").shows("worker_id", "w1");
        log.receives(ack("j1").by("w1").sentBy(ONE));
        log.job("j1").is("completed");
    }

    @Test
    void that_shares_its_name_with_one_of_another_key_is_directed_with_it() {
        log.receives(beat("w1").sentBy(ONE), beat("w1").sentBy(OTHER), direct("w1", Directive.QUIET));
        log.receives(beat("w1").sentBy(OTHER)).replies().shown().is("quiet");
        log.receives(beat("w1").sentBy(ONE)).replies().shown().is("quiet");
        log.receives(listWorkers(10, null))
                .replies()
                .line(1)
                .shows("worker_id", "w1")
                .shows("key", "one");
    }

    @Test
    void that_never_beats_is_not_lost() {
        log.receives(enqueue("j1"), fetch().by("curl").lease(ofMinutes(10)));
        log.after(ofMinutes(9)).job("j1").is("active");
        log.worker("curl").shown().is("running").hides("last_heartbeat_at");
    }

    @Test
    void that_begins_to_beat_after_its_first_job_can_be_lost() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofMinutes(10)));
        log.sleeps(ofMinutes(1)).receives(beat("w1")).emits("worker.started");
        log.after(ofSeconds(30)).job("j1").is("available");
    }

    @Test
    void of_too_many_that_are_gone_the_first_is_forgotten() {
        TestPartition log = new TestPartition().unaudited();
        for (int i = 0; i <= 10_000; i++) log.receives(beat("gone-" + i), leave("gone-" + i));
        log.worker("gone-0").rejected(ErrorCode.NOT_FOUND);
        log.worker("gone-1").shown().is("left");
        log.receives(beat("gone-1"), beat("here"), leave("here"));
        log.worker("gone-1").shown().is("running");
        log.worker("gone-2").shown().is("left");
    }

    @Test
    void that_is_directed_to_be_quiet_hears_of_it_with_its_next_heartbeat() {
        log.receives(beat("w1"));
        log.receives(direct("w1", Directive.QUIET)).emits("worker.quiet");
        log.replies().shown().shows("directive", "quiet");
        log.receives(beat("w1")).replies().shown().is("quiet");
        log.restarts();
        log.receives(beat("w1")).replies().shown().is("quiet");
        log.receives(direct("w1", Directive.RUNNING)).emits("worker.resumed");
        log.receives(beat("w1")).replies().shown().is("running");
    }

    @Test
    void that_comes_back_under_the_name_of_a_quiet_one_is_not_quiet() {
        log.receives(beat("w1"), direct("w1", Directive.TERMINATE));
        log.after(ofSeconds(31)).receives(beat("w1")).replies().shown().is("running");
        log.receives(beat("w1")).replies().shown().is("running");
    }

    @Test
    void that_is_not_there_gets_no_directive() {
        log.receives(direct("w1", Directive.QUIET)).rejects(NOT_FOUND);
        log.receives(beat("w1"), leave("w1"), direct("w1", Directive.QUIET)).rejects(NOT_FOUND);
    }

    @Test
    void that_never_beats_can_be_deregistered_and_its_jobs_go_to_others() {
        log.receives(enqueue("j1"), fetch().by("curl").lease(ofMinutes(10)), deregister("curl"));
        log.replies().shown().shows("deregistered", true);
        log.event("worker.stopped").shows("reason", "deregistered");
        log.job("j1").is("available");
        log.worker("curl").rejected(NOT_FOUND);
    }

    @Test
    void that_has_fallen_silent_can_be_forgotten() {
        log.receives(beat("w1"));
        log.after(ofSeconds(31)).receives(deregister("w1")).emits();
        log.worker("w1").rejected(NOT_FOUND);
        log.receives(deregister("w1")).rejects(NOT_FOUND);
    }

    @Test
    void keeps_what_it_has_said_of_itself_when_a_heartbeat_says_less() {
        log.receives(beat("w1"), ask(new Beat("w1", "{\"queues\":[\"q\"]}".getBytes(StandardCharsets.UTF_8))));
        log.restarts().worker("w1").shown().shows("about.hostname", "h").showsJson("about.queues", "['q']");
    }

    @Test
    void that_sends_heartbeats_is_not_deregistered() {
        log.receives(beat("w1"), deregister("w1")).rejects(ErrorCode.CONFLICT);
        log.worker("w1").shown().is("running");
    }

    @Test
    void are_listed_by_name_page_by_page() {
        for (String name : List.of("c", "a", "d", "b")) log.receives(beat(name));
        List<String> names = new ArrayList<>();
        String after = null;
        do {
            log.receives(listWorkers(2, after));
            var lines = log.replies().lines();
            lines.stream().skip(1).map(line -> line.text("worker_id")).forEach(names::add);
            after = lines.getFirst().json().has("next") ? lines.getFirst().text("next") : null;
        } while (after != null);
        assertThat(names).containsExactly("a", "b", "c", "d");
    }

    @Test
    void that_comes_back_starts_again() {
        log.receives(beat("w1"));
        log.after(ofMinutes(1)).receives(beat("w1")).emits("worker.started");
        log.worker("w1").shown().is("running").shows("started_at", log.now());
        log.receives(enqueue("j1"), fetch().by("w1"));
        log.after(ofSeconds(30)).job("j1").is("available");
    }

    @Test
    void that_was_asked_to_stop_and_falls_silent_has_left() {
        log.receives(beat("w1"), beat("w2"), direct("w1", Directive.TERMINATE));
        log.after(ofSeconds(30)).restarts();
        log.worker("w1").shown().is("left");
        log.worker("w2").shown().is("lost");
    }

    @Test
    void that_says_it_stops_and_falls_silent_has_left() {
        log.receives(ask(new Beat("w1", "{\"state\":\"terminate\"}".getBytes(StandardCharsets.UTF_8))));
        log.after(ofSeconds(30)).worker("w1").shown().is("left");
    }

    @Test
    void that_leaves_gives_its_jobs_back_at_once() {
        log.receives(beat("w1"), enqueue("j1"), fetch().by("w1"));
        log.receives(leave("w1")).emits("worker.stopped", "job.available");
        log.event("worker.stopped").shows("reason", "left");
        log.event("job.available").shows("reason", "worker_left");
        log.job("j1").is("available").shows("attempt", 0).hides("errors");
        log.worker("w1").shown().is("left");
        log.receives(leave("w1")).emits();
        log.receives(leave("unknown")).emits().replies().lines();
    }

    @Test
    void takes_no_other_clients_jobs_with_it() {
        log.receives(
                beat("w1"),
                beat("w2"),
                enqueue("j1"),
                enqueue("j2"),
                enqueue("j3"),
                fetch().by("w1"),
                fetch().by("w2"),
                fetch().by("w1"),
                ack("j3"));
        log.receives(leave("w1"));
        log.job("j1").is("available");
        log.job("j2").is("active");
        log.job("j3").is("completed");
    }

    @Test
    void a_job_that_must_not_run_twice_is_discarded_with_it() {
        log.receives(beat("w1"), enqueue("j1").discardedOnWorkerLost(), fetch().by("w1"), leave("w1"));
        log.job("j1").is("discarded").shows("error.type", "worker_death");
    }

    @Test
    void is_forgotten_in_the_end() {
        log.receives(beat("w1"));
        log.after(ofSeconds(30)).after(ofHours(2)).emits();
        log.receives(getWorker("w1")).rejects(NOT_FOUND);
        log.receives(enqueue("j1"), fetch().by("curl"), ack("j1"));
        log.after(ofHours(2));
        log.receives(getWorker("curl")).rejects(NOT_FOUND);
    }

    @Test
    void that_goes_on_fetching_is_not_forgotten() {
        for (int i = 0; i < 10; i++) {
            log.receives(enqueue("j" + i), fetch().by("curl"), ack("j" + i));
            log.after(ofMinutes(50));
        }
        log.receives(getWorker("curl")).replies().shown().is("running");
    }

    @Test
    void a_fresh_start_knows_it() {
        log.receives(beat("w1"), enqueue("j1"), fetch().by("w1"));
        log.restarts().after(ofSeconds(30)).job("j1").is("available");
        log.receives(fetch().by("w1"));
        log.restarts().receives(beat("w1")).after(ofSeconds(30));
        log.job("j1").is("available").shows("attempt", 2);
    }

    @Test
    void with_very_many_leases_is_lost_a_slice_at_a_time() {
        // given
        log.unaudited();
        for (int b = 0; b < 12; b++) {
            int from = b * 100;
            log.receives(batchOfMadeIds(IntStream.range(from, from + 100)
                    .mapToObj(i -> enqueue("j" + i))
                    .toArray(Commands.Job[]::new)));
        }
        log.receives(beat("w1"));
        for (int i = 0; i < 12; i++) log.receives(fetch().count(100).by("w1").lease(ofHours(1)));
        // when
        log.sleeps(ofSeconds(30)).receives(tick());
        // then
        log.status("q").shows("available", 200).shows("active", 1000);
        log.sleeps(ofMillis(1)).receives(beat("w1"), fetch().by("w1").lease(ofHours(1)));
        log.restarts().after(ofMillis(10));
        log.status("q").shows("available", 1199).shows("active", 1);
        log.agreesWithItself();
    }

    @Test
    void learns_in_which_partitions_it_holds_leases() {
        log.receives(beat("w1")).replies().shown().showsJson("logs", "[]");
        log.receives(enqueue("j1"), fetch().by("w1"), beat("w1"));
        log.replies().shown().showsJson("logs", "['ojs.commands/0']");
    }

    // over several partitions

    @Test
    void every_log_with_its_jobs_hears_that_it_is_lost() {
        // given
        Cluster cluster = new Cluster(4);
        var routing = cluster.routing();
        var logs = routing.logs();
        String worker = Ids.workerIn(logs.get(0), routing, "w");
        for (int p = 0; p < 3; p++) {
            String queue = Ids.queueIn(logs.get(p), routing, "queue");
            String job = Ids.nicknameIn(logs.get(p), routing, "job");
            cluster.receives(p, enqueue(job).to(queue), fetch(queue).by(worker));
        }
        cluster.receives(0, beat(worker)).delivers();
        // when
        cluster.after(ofSeconds(30)).delivers();
        // then
        for (int p = 0; p < 3; p++)
            cluster.log(p)
                    .status(Ids.queueIn(logs.get(p), routing, "queue"))
                    .shows("available", 1)
                    .shows("active", 0);
    }

    @Test
    void a_partition_that_has_just_heard_of_it_keeps_its_jobs_until_it_is_silent_there_too() {
        // given
        Cluster cluster = new Cluster(2);
        var routing = cluster.routing();
        String worker = Ids.workerIn(routing.logs().get(1), routing, "w");
        TestPartition queues = cluster.log(0);
        String queue = Ids.queueIn(queues.id(), routing, "queue");
        String old = Ids.nicknameIn(queues.id(), routing, "old");
        String fresh = Ids.nicknameIn(queues.id(), routing, "fresh");
        cluster.receives(0, enqueue(old).to(queue), fetch(queue).by(worker).lease(ofMinutes(10)));
        cluster.receives(1, beat(worker)).delivers();
        cluster.after(ofSeconds(20))
                .receives(0, enqueue(fresh).to(queue), fetch(queue).by(worker).lease(ofMinutes(10)));
        // when
        cluster.after(ofSeconds(10)).delivers();
        // then
        queues.job(old).is("available").shows("error.type", "worker_death");
        queues.job(fresh).is("active");
        cluster.after(ofSeconds(20).minusMillis(1));
        queues.job(fresh).is("active");
        cluster.after(ofMillis(1));
        queues.job(fresh).is("available");
    }

    @Test
    void is_announced_once_by_each_log_however_much_it_fetches() {
        Cluster cluster = new Cluster(2);
        var routing = cluster.routing();
        String worker = Ids.workerIn(routing.logs().get(1), routing, "w");
        String queue = Ids.queueIn(routing.logs().get(0), routing, "queue");
        for (int i = 0; i < 5; i++) {
            String job = Ids.nicknameIn(routing.logs().get(0), routing, "job" + i + "-");
            cluster.receives(0, enqueue(job).to(queue), fetch(queue).by(worker));
        }
        assertThat(cluster.underway()).isEqualTo(1);
    }
}
