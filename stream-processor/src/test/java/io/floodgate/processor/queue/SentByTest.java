package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static io.floodgate.topics.command.ErrorCode.PERMISSION_DENIED;
import static io.floodgate.topics.queue.Overflow.BLOCK;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.State;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobState;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands whose sender an API key names. */
class SentByTest extends PartitionTest {
    private static final Identity BILLING = new Identity("billing", null, null);
    private static final Identity SHOP = new Identity("shop", null, null);
    private static final QueuePolicy FOR_BILLING = QueuePolicy.NONE.with(new Access(null, List.of("bill*")));

    private String by(String eventType) {
        Shown event = log.events().stream()
                .filter(one -> one.text("type").equals(eventType))
                .findFirst()
                .orElseThrow();
        return event.json().path("by").asString("");
    }

    // ---- bulk operations

    @Test
    void is_on_the_events_of_every_job_of_its_bulk_operation_also_after_a_restart() {
        log.receives(enqueue("a"));
        log.receives(
                bulk("op", BulkAction.CANCEL, JobFilter.of(JobState.AVAILABLE)).sentBy(BILLING));
        log.restarts();
        log.receives(tick());
        assertThat(by("job.cancelled")).isEqualTo("billing");
        log.receives(getBulk("op")).replies().shown().is("done").shows("by", "billing");
    }

    // ---- ids of others

    @Test
    void does_not_learn_that_its_job_is_there_when_the_id_is_anothers() {
        Identity mine = new Identity("mine", List.of("mine"), null);
        log.receives(enqueue("a").to("yours"));
        log.receives(enqueue("a").to("mine").sentBy(mine)).rejects(PERMISSION_DENIED);
        log.receives(enqueue("a").to("yours")).rejects(ErrorCode.DUPLICATE);
        log.receives(enqueue("b").to("mine").sentBy(mine));
        log.receives(enqueue("b").to("mine").sentBy(mine)).rejects(ErrorCode.DUPLICATE);
    }

    // ---- queues for certain producers

    @Test
    void comes_into_a_queue_for_its_producer_and_for_no_other() {
        log.receives(decide("q", FOR_BILLING), enqueue("a").sentBy(SHOP));
        log.rejects(PERMISSION_DENIED).with("queue", "q");
        log.receives(enqueue("a")).rejects(PERMISSION_DENIED);
        log.receives(enqueue("a").sentBy(BILLING)).replies().shown().is("available");
        log.receives(batch(enqueue("b"), enqueue("c").to("free")).sentBy(SHOP)).rejects(PERMISSION_DENIED);
        log.receives(batch(enqueue("b"), enqueue("c").to("free")).sentBy(BILLING))
                .replies()
                .line(0)
                .is("available");
    }

    @Test
    void comes_in_under_its_own_name_after_it_has_waited_for_room_also_after_a_restart() {
        log.receives(bound(1, BLOCK), enqueue("a"), decide("q", FOR_BILLING));
        log.receives(patient(ofSeconds(30), enqueue("b")).sentBy(BILLING).as("b"))
                .keepsWaiting("b");
        log.restarts();
        log.receives(fetch(), ack("a").sentBy(SHOP));
        log.repliesTo("b").line(0).is("available");
        assertThat(by("job.completed")).isEqualTo("shop");
        assertThat(by("job.enqueued")).isEqualTo("billing");
    }

    @Test
    void comes_into_queues_of_several_logs_under_its_name() {
        Cluster cluster = new Cluster(4);
        String here = cluster.queue(0, "queue");
        String there = cluster.queue(1, "queue");
        cluster.receives(1, decide(there, FOR_BILLING));
        cluster.receives(
                        0,
                        batch(enqueue("a").to(here), enqueue("b").to(there))
                                .sentBy(SHOP)
                                .as("shop"))
                .delivers();
        cluster.log(0).repliesTo("shop").rejected(PERMISSION_DENIED);
        cluster.receives(
                        0,
                        batch(enqueue("a").to(here), enqueue("b").to(there))
                                .sentBy(BILLING)
                                .as("billing"))
                .delivers();
        cluster.log(0).repliesTo("billing").line(1).is("available");
    }

    @Test
    void comes_into_queues_of_several_logs_under_its_own_name_after_it_has_waited_for_room() {
        Cluster cluster = new Cluster(4);
        String here = cluster.queue(0, "queue");
        String there = cluster.queue(1, "queue");
        String full = cluster.id(0, "full");
        cluster.receives(
                0,
                bound(here, new QueueConfig(1L, null, BLOCK, null)),
                enqueue(full).to(here));
        cluster.receives(1, decide(there, FOR_BILLING));
        List<byte[]> jobs = Stream.of(enqueue("a").to(here), enqueue("b").to(there))
                .map(Commands.Job::json)
                .toList();
        Ask waiting = ask(new EnqueueBatch(jobs, false, ofSeconds(30)));
        cluster.receives(3, waiting.sentBy(BILLING).as("batch")).delivers();
        cluster.log(3).keepsWaiting("batch");
        cluster.receives(0, cancel(full).sentBy(SHOP)).delivers();
        cluster.log(3).repliesTo("batch").line(1).is("available");
    }

    // ---- jobs that there are for it

    @Test
    void finds_no_job_of_another_queue_whatever_it_wants_of_it() {
        Identity mailer = new Identity("mailer", List.of("mail*"), null);
        log.receives(enqueue("a"), enqueue("b"), fetch());
        for (Ask asked : List.of(getJob("b"), cancel("b"), setPriority("b", 3), ack("a"), nack("a"))) {
            log.receives(asked.sentBy(mailer)).rejects(NOT_FOUND);
            Reply hidden = log.replies().reply();
            assertThat(((Reply.Rejected) hidden).rejection().code()).isEqualTo(NOT_FOUND);
        }
        log.job("a").is("active");
        log.job("b").is("available").shows("priority", 0);
        log.receives(enqueue("c").to("mailing"), cancel("c").sentBy(mailer));
        log.replies().shown().is("cancelled");
    }

    @Test
    void sees_of_a_hidden_job_what_it_would_see_of_none() {
        Identity mailer = new Identity("mailer", List.of("mail"), null);
        log.receives(getJob("a").sentBy(mailer));
        Reply none = log.replies().reply();
        log.receives(enqueue("a"), getJob("a").sentBy(mailer));
        assertThat(log.replies().reply().toBytes()).isEqualTo(none.toBytes());
    }

    @Test
    void finds_no_job_of_another_tenant() {
        Identity acme = new Identity("acme", null, "acme");
        log.receives(enqueue("a").of("acme"), enqueue("b").of("other"), enqueue("c"));
        log.receives(getJob("a").sentBy(acme)).replies().shown().is("available");
        log.receives(getJob("b").sentBy(acme)).rejects(NOT_FOUND);
        log.receives(getJob("c").sentBy(acme)).rejects(NOT_FOUND);
    }

    @Test
    void keeps_no_job_of_another_queue_alive_nor_takes_it_back() {
        Identity mailer = new Identity("mailer", List.of("mail"), null);
        log.receives(enqueue("a"), fetch().by("w"));
        log.receives(extend("w", ofSeconds(60), "a").sentBy(mailer));
        log.replies().shown().showsJson("extended", "[]").showsJson("lost", "['%s']".formatted(Ids.id("a")));
        for (int lists = 0; lists < 3; lists++) {
            log.after(ofSeconds(31));
            log.receives(extendAll("w").sentBy(mailer));
        }
        log.job("a").is("active");
    }

    @Test
    void is_hidden_from_across_logs() {
        Cluster cluster = new Cluster(4);
        int home = cluster.routing().ofJob(Ids.id("a")).partition();
        int away = (home + 1) % 4;
        String queue = cluster.queue(away, "queue");
        cluster.receives(home, enqueue("a").to(queue).sentBy(BILLING)).delivers();
        Identity mailer = new Identity("mailer", List.of("mail"), null);
        cluster.receives(home, cancel("a").sentBy(mailer).as("mailer")).delivers();
        cluster.log(away).repliesTo("mailer").rejected(NOT_FOUND);
        cluster.receives(home, cancel("a").sentBy(BILLING).as("billing")).delivers();
        cluster.log(away).repliesTo("billing").shown().is("cancelled");
    }

    // ---- its events

    @Test
    void is_on_the_events_that_it_causes_and_on_no_others() {
        log.receives(enqueue("a").sentBy(BILLING));
        assertThat(by("job.enqueued")).isEqualTo("billing");
        log.receives(cancel("a").sentBy(SHOP));
        assertThat(by("job.cancelled")).isEqualTo("shop");
        log.receives(enqueue("b"));
        assertThat(by("job.enqueued")).isEmpty();
        log.receives(enqueue("c").delay(ofSeconds(5)).sentBy(BILLING)).after(ofSeconds(6));
        assertThat(by("job.enqueued")).isEmpty();
    }

    // ---- what stands in the header

    private static ErrorCode rejection(String op, String by) {
        Routing routing = new Routing(1);
        State state = new State();
        PartitionEngine engine = new PartitionEngine(routing.logs().getFirst(), routing, state.stores());
        byte[] job = CommandCodec.encode(enqueue("a").command()).value();
        Outcome outcome = engine.apply(new PartitionRecord(
                0, TestPartition.START, op, job, new ReplyTo(0, "test", 1), null, 0, 0, null, null, "", -1, by));
        Reply reply = outcome.answers().getFirst().reply();
        return reply instanceof Reply.Rejected rejected ? rejected.rejection().code() : null;
    }

    @Test
    void that_makes_no_sense_is_rejected_rather_than_unconfined() {
        assertThat(rejection("enqueue", "{\"name\":\"a\",\"queues\":7}")).isEqualTo(INVALID_PAYLOAD);
        assertThat(rejection("enqueue", "{\"name\":\"a\"}")).isNull();
    }

    @Test
    void counts_for_nothing_on_a_record_of_a_plain_producer() {
        assertThat(rejection(null, "nonsense")).isNull();
    }
}
