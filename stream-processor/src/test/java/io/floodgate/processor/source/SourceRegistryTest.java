package io.floodgate.processor.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.command.SourceCommand.ChangeSource;
import io.floodgate.topics.command.SourceCommand.DeleteSource;
import io.floodgate.topics.command.SourceCommand.ListSources;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.PutSource;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The registry of sources, and what comes in from one. */
class SourceRegistryTest extends PartitionTest {
    private static final Mapping MAPPING =
            new Mapping(ValueForm.JSON, "{\"type\":\"a\"}".getBytes(UTF_8), "orders.rejected");

    private static PutSource put(String name, String topic, String queue) {
        return new PutSource(name, topic, queue, MAPPING, "latest", false);
    }

    private List<Shown> list(long seen) {
        log.receives(ask(new ListSources(seen)));
        return log.replies().lines();
    }

    private long revision() {
        return Long.parseLong(list(0).getFirst().text("revision"));
    }

    private long epoch() {
        return Long.parseLong(list(0).get(1).text("epoch"));
    }

    // ---- the registry

    @Test
    void a_source_is_listed_as_it_was_made_also_after_a_restart() {
        log.receives(ask(put("orders", "shop.orders", "q")));
        log.event("source.created").shows("source", "orders").shows("topic", "shop.orders");
        log.restarts();
        list(0).get(1)
                .shows("name", "orders")
                .shows("topic", "shop.orders")
                .shows("queue", "q")
                .shows("dead_letters", "orders.rejected")
                .shows("start", "latest");
    }

    @Test
    void who_knows_the_revision_gets_no_rows() {
        log.receives(ask(put("orders", "shop.orders", "q")));
        assertThat(list(revision())).hasSize(1);
        assertThat(list(1)).hasSize(2);
    }

    @Test
    void a_change_reads_on_and_a_rewind_begins_again() {
        log.receives(ask(put("orders", "shop.orders", "q")));
        long epoch = epoch();
        long revision = revision();
        log.receives(ask(new PutSource("orders", "shop.orders", "q", MAPPING, "earliest", false)));
        log.receives(ask(new ChangeSource("orders", true, null)));
        list(0).get(1).shows("is_paused", true).shows("start", "latest");
        assertThat(epoch()).isEqualTo(epoch);
        assertThat(revision()).isGreaterThan(revision);
        log.receives(ask(new ChangeSource("orders", null, "earliest")));
        list(0).get(1).shows("is_paused", true).shows("start", "earliest");
        assertThat(epoch()).isGreaterThan(epoch);
    }

    @Test
    void a_topic_has_one_source_and_a_source_one_topic_and_one_queue() {
        log.receives(ask(put("orders", "shop.orders", "q")));
        log.receives(ask(put("others", "shop.orders", "q"))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(put("orders", "shop.others", "q"))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(put("orders", "shop.orders", "other"))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(new DeleteSource("orders")));
        log.event("source.deleted").shows("source", "orders");
        log.receives(ask(put("others", "shop.orders", "q")));
        list(0).get(1).shows("name", "others");
    }

    @Test
    void there_are_only_so_many() {
        for (int i = 0; i < SourceCommand.MOST; i++) log.receives(ask(put("s" + i, "t" + i, "q")));
        log.receives(ask(put("more", "more", "q"))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(new ChangeSource("none", true, null))).rejects(ErrorCode.NOT_FOUND);
        log.receives(ask(new DeleteSource("none"))).rejects(ErrorCode.NOT_FOUND);
    }

    // ---- what comes in

    private static Ingress reading(String topicId, long epoch) {
        return new Ingress("q", topicId, 0, new Ingress.Reading("orders", epoch));
    }

    private Ask record(Ingress ingress, long offset) {
        return ask(new Forward(
                ingress,
                offset,
                offset,
                true,
                log.now(),
                null,
                enqueueWithoutId().json(),
                null));
    }

    private Ask withoutJob(Ingress ingress, long offset, @Nullable Rejection why) {
        return ask(new Forward(ingress, offset, offset, true, log.now(), null, null, why));
    }

    private void opens(Ingress ingress, long from, long next) {
        log.receives(ask(new OpenIngress(ingress, from)));
        log.replies().line(0).shows("next", next);
    }

    @Test
    void the_first_forwarder_says_where_a_source_begins() {
        opens(reading("t", 1), 40, 40);
        log.receives(record(reading("t", 1), 40));
        opens(reading("t", 1), 90, 41);
        log.restarts();
        opens(reading("t", 1), 0, 41);
        log.receives(record(reading("t", 1), 40), record(reading("t", 1), 41));
        log.status("q").shows("depth", 2);
    }

    @Test
    void nothing_comes_in_before_it_is_known_where_the_source_begins() {
        log.receives(record(reading("t", 1), 40)).rejects(ErrorCode.BACKEND_UNAVAILABLE);
        opens(reading("t", 1), 7, 7);
    }

    @Test
    void after_a_rewind_forwarders_of_the_reading_before_bring_nothing() {
        opens(reading("t", 1), 0, 0);
        log.receives(record(reading("t", 1), 0), record(reading("t", 1), 1));
        opens(reading("t", 2), 0, 0);
        log.receives(record(reading("t", 1), 2)).rejects(ErrorCode.BACKEND_UNAVAILABLE);
        log.receives(ask(new OpenIngress(reading("t", 1), 0))).rejects(ErrorCode.BACKEND_UNAVAILABLE);
        log.receives(record(reading("t", 2), 0));
        log.status("q").shows("depth", 3);
    }

    @Test
    void a_source_and_the_topic_of_its_queue_do_not_disturb_each_other() {
        opens(reading("t", 1), 0, 0);
        log.receives(record(reading("t", 1), 0));
        Ingress own = new Ingress("q", "t", 0);
        log.receives(ask(new Forward(
                own, 0, 0, false, log.now(), null, enqueueWithoutId().json(), null)));
        log.status("q").shows("depth", 2);
    }

    @Test
    void a_full_queue_that_rejects_holds_records_back() {
        log.receives(bound("q", new QueueConfig(1L, null, Overflow.REJECT, null)));
        opens(reading("t", 1), 0, 0);
        log.receives(record(reading("t", 1), 0));
        log.receives(record(reading("t", 1), 1)).rejects(ErrorCode.BACKEND_UNAVAILABLE);
        log.status("q").shows("depth", 1);
        log.receives(bound("q", new QueueConfig(2L, null, Overflow.REJECT, null)));
        log.receives(record(reading("t", 1), 1));
        log.status("q").shows("depth", 2);
    }

    @Test
    void what_cannot_be_a_job_is_passed_over_once_it_is_kept_elsewhere() {
        opens(reading("t", 1), 0, 0);
        Ingress reading = reading("t", 1);
        log.receives(ask(new Forward(
                        reading,
                        0,
                        0,
                        true,
                        log.now(),
                        null,
                        "{\"type\":\"No type\",\"queue\":\"q\"}".getBytes(UTF_8),
                        null)))
                .rejects(ErrorCode.INVALID_JOB_TYPE);
        opens(reading, 0, 0);
        log.receives(withoutJob(reading, 0, Rejection.of(ErrorCode.INVALID_JOB_TYPE, "why")));
        log.event("floodgate.record_rejected").shows("log", "source orders/0").shows("offset", 0);
        opens(reading, 0, 1);
    }
}
