package io.floodgate.processor.queue;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.admin.BulkJobs;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.queue.QueueConfig;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkJobsTest extends PartitionTest {
    private static final JobFilter AVAILABLE = JobFilter.of(JobState.AVAILABLE);

    private Shown ended(String operation) {
        for (int i = 0; i < 100; i++) {
            log.receives(tick());
            Shown shown = log.receives(getBulk(operation)).replies().shown();
            if (!shown.text("state").equals("running")) return shown;
        }
        throw new AssertionError("it has not ended");
    }

    private void enqueued(int jobs) {
        log.receives(batchOfMadeIds(
                IntStream.range(0, jobs).mapToObj(i -> enqueue("j" + i)).toArray(Commands.Job[]::new)));
    }

    @Test
    void purged_jobs_leave_nothing_whatever_state_they_were_in() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), enqueue("j4").to("other"), cancel("j2"), fetch());
        log.receives(bulk(
                "op",
                BulkAction.PURGE,
                JobFilter.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.CANCELLED)
                        .inQueue("q")));
        ended("op").is("done").shows("succeeded", 3).shows("failed", 0);
        assertThat(log.knows("j1") || log.knows("j2") || log.knows("j3")).isFalse();
        assertThat(log.knows("j4")).isTrue();
        log.status("q").shows("depth", 0);
    }

    @Test
    void retries_what_has_failed_in_a_certain_way() {
        for (String job : new String[] {"j1", "j2"}) log.receives(enqueue(job), fetch());
        log.receives(nack("j1").type("timeout"), nack("j2").type("refused"));
        log.receives(bulk("op", BulkAction.RETRY, JobFilter.of().failedWith("refused")));
        ended("op").is("done").shows("succeeded", 1);
        log.job("j2").is("available");
    }

    @Test
    void goes_through_the_jobs_slice_by_slice_and_says_how_far_it_has_come() {
        log.unaudited();
        enqueued(250);

        log.receives(bulk("op", BulkAction.CANCEL, AVAILABLE));
        log.replies().shown().is("running").shows("matched", 0).shows("action", "cancel");
        log.receives(tick(), getBulk("op")).replies().shown().is("running").shows("succeeded", 100);
        // A restart in between changes nothing.
        log.restarts();

        ended("op").is("done").shows("matched", 250).shows("succeeded", 250).shows("failed", 0);
        log.status("q").shows("cancelled", 250).shows("available", 0);
    }

    @Test
    void touches_those_that_are_meant_and_no_others() {
        log.receives(enqueue("j1").to("a"), enqueue("j2").to("b"), enqueue("j3").to("a"), cancel("j3"));

        log.receives(bulk("op", BulkAction.CANCEL, AVAILABLE.inQueue("a")));

        ended("op").shows("succeeded", 1);
        log.job("j1").is("cancelled");
        log.job("j2").is("available");
    }

    @Test
    void leaves_alone_what_comes_in_later() {
        log.receives(enqueue("j1"), bulk("op", BulkAction.CANCEL, AVAILABLE));
        log.sleeps(ofMillis(1)).receives(enqueue("j2"));

        ended("op").shows("succeeded", 1);
        log.job("j2").is("available");
    }

    @Test
    void says_of_which_jobs_it_was_rejected() {
        log.receives(enqueue("j1"), fetch(), ack("j1"), enqueue("j2"));

        log.receives(bulk("op", BulkAction.RETRY, JobFilter.of()));

        Shown shown = ended("op").shows("matched", 2).shows("succeeded", 0).shows("failed", 2);
        assertThat(shown.json().get("errors").size()).isEqualTo(2);
        log.job("j1").is("completed");
    }

    @Test
    void deletes_what_has_ended() {
        log.receives(enqueue("j1"), enqueue("j2"), cancel("j1"));

        log.receives(bulk("op", BulkAction.DELETE, JobFilter.of(JobState.CANCELLED, JobState.COMPLETED)));

        ended("op").shows("succeeded", 1);
        assertThat(log.knows("j1")).isFalse();
        log.job("j2").is("available");
    }

    @Test
    void never_takes_a_queue_over_its_bound() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), cancel("j1"), cancel("j2"), cancel("j3"));
        log.receives(bound("q", new QueueConfig(2L, null, null, null)));

        log.receives(bulk("op", BulkAction.RETRY, JobFilter.of(JobState.CANCELLED)));

        ended("op").shows("succeeded", 2).shows("failed", 1);
        log.status("q").shows("depth", 2).shows("cancelled", 1);
    }

    @Test
    void stops_when_no_client_wants_it_any_more() {
        log.unaudited();
        enqueued(250);
        log.receives(bulk("op", BulkAction.CANCEL, AVAILABLE), tick());

        log.receives(stopBulk("op")).replies().shown().is("stopped").shows("succeeded", 100);

        log.receives(tick(), tick(), tick());
        log.status("q").shows("cancelled", 100).shows("available", 150);
    }

    @Test
    void is_begun_once_under_a_name() {
        log.receives(enqueue("j1"), bulk("op", BulkAction.CANCEL, AVAILABLE));
        ended("op").shows("succeeded", 1);
        log.sleeps(ofSeconds(1)).receives(enqueue("j2"), bulk("op", BulkAction.CANCEL, AVAILABLE));

        log.replies().shown().is("done").shows("succeeded", 1);
        log.job("j2").is("available");
    }

    @Test
    void is_remembered_until_there_are_too_many() {
        for (int i = 0; i <= BulkJobs.MOST; i++) {
            log.receives(bulk("op" + i, BulkAction.CANCEL, AVAILABLE));
            ended("op" + i);
        }
        log.receives(getBulk("op0")).rejects(ErrorCode.NOT_FOUND);
        log.receives(getBulk("op1")).replies().shown().is("done");
    }

    @Test
    void of_too_many_at_a_time_the_last_is_rejected() {
        for (int i = 0; i < BulkJobs.MOST; i++) log.receives(bulk("op" + i, BulkAction.CANCEL, AVAILABLE));
        log.receives(bulk("more", BulkAction.CANCEL, AVAILABLE)).rejects(ErrorCode.CONFLICT);
    }
}
