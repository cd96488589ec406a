package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.ENVELOPE_TOO_LARGE;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import org.junit.jupiter.api.Test;

class EnqueueTest extends PartitionTest {
    @Test
    void makes_a_job_available() {
        log.receives(enqueue("j1").member("args", "[1,{\"a\":true}]"));
        log.job("j1")
                .isJob("j1")
                .is("available")
                .shows("type", "test.job")
                .showsJson("args", "[1,{'a':true}]")
                .shows("queue", "q")
                .shows("priority", 0)
                .shows("attempt", 0)
                .shows("max_attempts", 3)
                .shows("created_at", TestPartition.START)
                .shows("enqueued_at", TestPartition.START)
                .hides("started_at", "completed_at", "error", "errors", "result", "worker_id", "retry", "lease");
        log.status("q").shows("available", 1).shows("depth", 1).shows("oldest_available_at", TestPartition.START);
    }

    @Test
    void answers_with_what_the_system_adds_to_the_job() {
        log.receives(enqueue("j1").priority(7));
        log.replies()
                .shown()
                .is("available")
                .shows("priority", 7)
                .shows("attempt", 0)
                .hides("type", "args", "id");
    }

    @Test
    void the_first_job_of_a_queue_creates_it() {
        log.receives(enqueue("j1"), enqueue("j2")).emits("queue.created", "job.enqueued", "job.enqueued");
        log.status("q").is("active").shows("created_at", TestPartition.START).shows("available", 2);
    }

    @Test
    void an_id_is_taken_once() {
        log.receives(enqueue("j1"), enqueue("j1").to("other"));
        log.rejects(DUPLICATE).with("existing_job_id", Ids.id("j1").toString());
        log.status("q").shows("available", 1);
        assertThat(log.engine().status("other")).isEmpty();
    }

    @Test
    void a_job_that_is_sent_twice_as_new_is_stored_once() {
        log.receives(enqueue("j1").madeId(), fetch(), enqueue("j1").madeId());
        log.rejects(DUPLICATE);
        log.receives(batchOfMadeIds(enqueue("j2"), enqueue("j1")));
        log.rejects(DUPLICATE);
        log.job("j1").is("active");
        log.receives(ack("j1"), enqueue("j1").madeId());
        log.rejects(DUPLICATE);
        log.status("q").shows("available", 0).shows("completed", 1);
    }

    @Test
    void an_id_is_made_where_none_is_given_and_names_the_slot_of_its_queue() {
        log.receives(enqueueWithoutId());
        log.receives(fetch());
        JobId made = JobId.parse(log.replies().shown().text("id")).orElseThrow();
        assertThat(made.slot()).isEqualTo(Slot.of("q"));
        assertThat(made.high() >>> 16).isEqualTo(TestPartition.START.toEpochMilli());
    }

    @Test
    void two_jobs_of_the_same_millisecond_get_two_ids() {
        log.receives(enqueueWithoutId(), enqueueWithoutId(), fetch().count(2));
        assertThat(log.replies().lines().stream().map(line -> line.text("id")))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_record_without_an_operation_is_an_enqueue() {
        log.receivesRawUnanswered(null, enqueue("j1").json()).emits("queue.created", "job.enqueued");
        log.job("j1").is("available");
    }

    @Test
    void a_job_that_cannot_be_read_is_rejected() {
        log.receives(enqueue("j1").member("args", "null"))
                .rejects(io.floodgate.topics.command.ErrorCode.INVALID_REQUEST);
    }

    @Test
    void what_is_rejected_while_no_client_waits_is_reported_to_each_client() {
        log.receivesRawUnanswered(null, "{\"type\":".getBytes(UTF_8)).emits("floodgate.record_rejected");
        log.event("floodgate.record_rejected")
                .shows("op", "enqueue")
                .shows("offset", 0)
                .shows("code", INVALID_PAYLOAD.wire());
    }

    @Test
    void a_job_larger_than_a_mebibyte_is_rejected() {
        log.receives(enqueue("j1").member("args", "[\"" + "x".repeat(1024 * 1024) + "\"]"));
        log.rejects(ENVELOPE_TOO_LARGE).with("max_envelope_bytes", 1024 * 1024);
    }

    @Test
    void unknown_members_are_kept_and_system_members_are_not_believed() {
        log.receives(enqueue("j1")
                .member("x_tenant", "{\"a\":[1]}")
                .member("state", "\"completed\"")
                .member("attempt", "9")
                .member("created_at", "\"1999-01-01T00:00:00Z\""));
        log.job("j1")
                .is("available")
                .showsJson("x_tenant", "{'a':[1]}")
                .shows("attempt", 0)
                .shows("created_at", TestPartition.START);
    }

    @Test
    void a_pending_job_is_seen_but_not_handed_out() {
        log.receives(enqueue("j1").pending()).emits("queue.created", "job.pending");
        log.job("j1").is("pending").hides("started_at");
        log.receives(fetch()).replies().nothing();
        log.status("q").shows("pending", 1).shows("available", 0).shows("depth", 1);
    }

    @Test
    void an_event_says_what_happened_where_and_when() {
        log.receives(enqueue("j1"));
        log.events()
                .get(1)
                .shows("specversion", "1.0")
                .shows("type", "job.enqueued")
                .shows("source", "ojs://floodgate/ojs.commands/0")
                .shows("subject", Ids.id("j1").toString())
                .shows("time", TestPartition.START)
                .shows("datacontenttype", "application/json")
                .shows("data.job_type", "test.job")
                .shows("data.queue", "q")
                .shows("data.state", "available")
                .shows("data.attempt", 0);
        assertThat(log.events().get(1).text("id"))
                .matches("evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(log.rawEvents().get(1).key()).isEqualTo("q");
    }

    @Test
    void a_clock_that_steps_back_is_not_followed() {
        log.receives(enqueue("j1"));
        log.sleeps(ofSeconds(-10)).receives(enqueue("j2"));
        log.job("j2").shows("created_at", TestPartition.START);
    }

    @Test
    void an_option_wins_over_the_member_of_the_same_name() {
        log.receives(enqueue("j1").member("options", "{\"queue\":\"mail\",\"priority\":3}"));
        log.job("j1").shows("queue", "mail").shows("priority", 3);
    }

    @Test
    void a_priority_out_of_range_is_rejected() {
        log.receives(enqueue("j1").priority(101)).rejects(INVALID_REQUEST).with("field", "priority");
    }
}
