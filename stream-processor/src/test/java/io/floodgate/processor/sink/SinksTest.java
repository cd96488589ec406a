package io.floodgate.processor.sink;

import static io.floodgate.processor.testing.Commands.ack;
import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.testing.Commands.cancel;
import static io.floodgate.processor.testing.Commands.enqueue;
import static io.floodgate.processor.testing.Commands.fetch;
import static io.floodgate.processor.testing.Commands.nack;
import static io.floodgate.processor.testing.Commands.reset;
import static io.floodgate.processor.testing.Commands.retryDead;
import static io.floodgate.processor.testing.Commands.tick;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.SinkCommand;
import io.floodgate.topics.command.SinkCommand.ChangeSink;
import io.floodgate.topics.command.SinkCommand.DeleteSink;
import io.floodgate.topics.command.SinkCommand.ListSinks;
import io.floodgate.topics.command.SinkCommand.PutSink;
import io.floodgate.topics.command.SinkCommand.ReportSink;
import io.floodgate.topics.command.SinkCommand.Selection;
import io.floodgate.topics.command.SinkCommand.Target;
import io.floodgate.topics.command.SinkCommand.ValueForm;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The registry of sinks, and what events of outcomes carry for them, in every partition. */
class SinksTest {
    private static final Target TARGET = new Target("shop.results", List.of(), ValueForm.JSON, "{}".getBytes(UTF_8));

    private final Cluster cluster = new Cluster(4);
    private final TestPartition registry = cluster.log(cluster.routing().ofSinks());
    private final TestPartition other = cluster.log((registry.id().partition() + 1) % 4);
    private final String queue = cluster.queue(other.id().partition(), "orders");

    private static PutSink put(String name, Selection selection) {
        return new PutSink(name, TARGET, selection, false);
    }

    private Selection of(String... outcomes) {
        return new Selection(List.of(queue), List.of(), List.of(outcomes));
    }

    private void sink(PutSink sink) {
        cluster.receives(registry.id().partition(), ask(sink)).delivers();
    }

    private Shown shown() {
        registry.receives(ask(new ListSinks(0)));
        return registry.replies().lines().get(1);
    }

    private long id() {
        return shown().number("id");
    }

    /** Returns what the last event of this type carries; null for nothing. */
    private static @Nullable Shown mark(TestPartition of, String type) {
        List<Event> events = of.rawEvents().stream()
                .filter(event -> event.type().equals(type))
                .toList();
        assertThat(events).as(type).isNotEmpty();
        byte[] mark = events.getLast().mark();
        return mark == null ? null : Shown.of(mark);
    }

    private void run(String job, boolean succeeds) {
        cluster.receives(
                        other.id().partition(),
                        enqueue(job).to(queue).member("args", "[17]").maxAttempts(1))
                .delivers();
        other.receives(fetch(queue));
        other.receives(succeeds ? ack(job).result("{\"total\":3}") : nack(job));
    }

    @Test
    void an_outcome_that_a_sink_is_to_get_carries_the_job() {
        sink(put("results", of("completed")));
        run("j1", true);
        Shown mark = mark(other, "job.completed");
        assertThat(mark).isNotNull();
        mark.shows("outcome", "completed").showsJson("sinks", "[%d]".formatted(id()));
        Shown job = Shown.of(mark.json().get("job").toString().getBytes(UTF_8));
        job.isJob("j1")
                .showsJson("args", "[17]")
                .showsJson("result", "{\"total\":3}")
                .shows("state", "completed");
        assertThat(mark(other, "job.completed").json().at("/job/queue").asString())
                .isEqualTo(queue);
    }

    @Test
    void what_no_sink_is_to_get_carries_nothing() {
        run("j1", true);
        assertThat(mark(other, "job.completed")).isNull();
        sink(put("results", of("discarded")));
        sink(put("elsewhere", new Selection(List.of("elsewhere"), List.of(), List.of("completed"))));
        sink(put("typed", new Selection(List.of(), List.of("other.type"), List.of("completed"))));
        run("j2", true);
        assertThat(mark(other, "job.completed")).isNull();
    }

    @Test
    void each_kind_of_outcome_is_marked_with_its_name() {
        sink(put("results", of("failed", "discarded", "cancelled", "retried")));
        run("j1", false);
        assertThat(mark(other, "job.failed").text("outcome")).isEqualTo("failed");
        assertThat(mark(other, "job.discarded").text("outcome")).isEqualTo("discarded");
        assertThat(mark(other, "job.discarded").json().at("/job/error/type").asString())
                .isNotEmpty();
        other.receives(retryDead("j1"));
        assertThat(mark(other, "dead_letter.retried").text("outcome")).isEqualTo("retried");
        other.receives(cancel("j1"));
        assertThat(mark(other, "job.cancelled").text("outcome")).isEqualTo("cancelled");
    }

    @Test
    void a_partition_remembers_it_over_a_restart_until_the_sink_is_deleted_or_all_is_reset() {
        sink(put("results", of("completed")));
        other.restarts();
        run("j1", true);
        assertThat(mark(other, "job.completed")).isNotNull();
        cluster.receives(registry.id().partition(), ask(new DeleteSink("results")))
                .delivers();
        run("j2", true);
        assertThat(mark(other, "job.completed")).isNull();

        sink(put("results", of("completed")));
        other.receives(reset(), tick());
        run("j3", true);
        assertThat(mark(other, "job.completed")).isNull();
    }

    @Test
    void a_sink_keeps_its_id_and_another_one_of_its_name_has_another() {
        sink(put("results", of("completed")));
        long id = id();
        long epoch = shown().number("epoch");
        registry.receives(ask(new ChangeSink("results", true, null)));
        sink(put("results", of("discarded")));
        assertThat(id()).isEqualTo(id);
        assertThat(shown().number("epoch")).isEqualTo(epoch);
        registry.receives(ask(new ChangeSink("results", null, "earliest")));
        assertThat(shown().number("epoch")).isGreaterThan(epoch);
        registry.receives(ask(new DeleteSink("results")));
        sink(put("results", of("completed")));
        assertThat(id()).isNotEqualTo(id);
    }

    @Test
    void only_who_fails_can_say_that_it_goes_well_until_it_falls_silent() {
        sink(put("results", of("completed")));
        report("a", 2, "too large", null);
        shown().shows("skipped", 2).shows("last_skip", "too large").hides("failing_since");
        report("a", 0, null, "no topic");
        registry.event("sink.failing").shows("sink", "results").shows("error", "no topic");
        String since = shown().shows("error", "no topic").text("failing_since");
        report("b", 0, null, null);
        assertThat(shown().text("failing_since")).isEqualTo(since);
        report("a", 0, null, null);
        registry.event("sink.recovered");
        shown().hides("failing_since", "error");

        report("a", 0, null, "no topic");
        registry.after(SinkCommand.FAILS_FOR.plus(Duration.ofMillis(1)));
        report("b", 0, null, null);
        shown().hides("failing_since", "error").shows("skipped", 2);
        registry.receives(ask(new ReportSink("results", 1, "a", 1, "of another one", "x")));
        shown().hides("failing_since").shows("skipped", 2);
    }

    private void report(String by, long skipped, @Nullable String why, @Nullable String error) {
        registry.receives(ask(new ReportSink("results", id(), by, skipped, why, error)));
    }

    @Test
    void there_are_only_so_many() {
        for (int i = 0; i < SinkCommand.MOST; i++) registry.receives(ask(put("s" + i, of("completed"))));
        registry.receives(ask(put("more", of("completed")))).rejects(ErrorCode.CONFLICT);
        registry.receives(ask(new ChangeSink("none", true, null))).rejects(ErrorCode.NOT_FOUND);
        registry.receives(ask(new DeleteSink("none"))).rejects(ErrorCode.NOT_FOUND);
    }
}
