package io.floodgate.topics.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import io.floodgate.topics.job.TraceContext.StepPlace;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String OTHER = "00-11111111111111111111111111111111-2222222222222222-00";

    @ParameterizedTest
    @Table("""
        00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what.comes.later
        00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00
        """)
    void a_trace_context_is_known_by_its_form(String text) {
        assertThat(TraceContext.of(text, null, null)).isPresent();
    }

    @ParameterizedTest
    @Table("""
        none | ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
        00-00000000000000000000000000000000-00f067aa0ba902b7-01
        00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01
        00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01
        00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        """)
    @ValueSource(strings = "")
    void what_is_none_is_left_out(String text) {
        assertThat(TraceContext.of(text, "a=1", "b=2")).isEmpty();
    }

    @Test
    void a_state_that_is_too_long_or_unprintable_is_left_out_and_the_trace_goes_on() {
        assertThat(TraceContext.of(PARENT, "x".repeat(513), null).orElseThrow().tracestate())
                .isNull();
        assertThat(TraceContext.of(PARENT, "a=\n", null).orElseThrow().tracestate())
                .isNull();
        assertThat(TraceContext.of(PARENT, "a=1,b=\"2\"", null).orElseThrow().tracestate())
                .isEqualTo("a=1,b=\"2\"");
    }

    @Test
    void a_job_carries_it_in_its_meta_beside_what_is_there() throws UnreadableJob {
        Envelope job = EnvelopeReader.read(
                "{\"type\":\"a\",\"args\":[1],\"meta\":{\"tenant_id\":\"acme\"},\"tags\":[\"x\"]}".getBytes(UTF_8));

        Envelope traced = context().putInto(job);

        assertThat(new String(traced.toJson(), UTF_8))
                .isEqualTo(
                        "{\"specversion\":\"1.0\",\"type\":\"a\",\"args\":[1],\"meta\":{\"traceparent\":\"" + PARENT
                                + "\",\"tracestate\":\"b=\\\"2\\\"\",\"tenant_id\":\"acme\"},\"tags\":[\"x\"],\"queue\":\"default\"}");
        assertThat(TraceContext.in(traced.toJson())).contains(context());
        assertThat(EnvelopeReader.read(traced.toJson()).toJson()).isEqualTo(traced.toJson());
    }

    @Test
    void a_job_that_has_none_of_its_own_gets_it_though_it_has_no_meta() throws UnreadableJob {
        Envelope job = EnvelopeReader.read("{\"type\":\"a\",\"args\":[]}".getBytes(UTF_8));

        assertThat(TraceContext.in(context().putInto(job).members())).contains(context());
        assertThat(TraceContext.in(job.members())).isEmpty();
    }

    @Test
    void a_job_that_has_come_with_one_keeps_it() throws UnreadableJob {
        for (String meta : new String[] {"\"meta\":%s", "\"options\":{\"metadata\":%s}"}) {
            String sent =
                    "{\"type\":\"a\",\"args\":[]," + meta.formatted("{\"traceparent\":\"%s\"}".formatted(OTHER)) + "}";
            Envelope job = EnvelopeReader.read(sent.getBytes(UTF_8));

            assertThat(context().putInto(job).members()).isEqualTo(job.members());
        }
    }

    @Test
    void a_job_that_has_no_room_for_it_goes_without() throws UnreadableJob {
        String full = "x".repeat(EnvelopeReader.MAX_META_BYTES - 100);
        Envelope job = EnvelopeReader.read("{\"type\":\"a\",\"args\":[],\"meta\":{\"much\":\"%s\"}}"
                .formatted(full)
                .getBytes(UTF_8));

        assertThat(context().putInto(job).members()).isEqualTo(job.members());
    }

    @Test
    void a_step_says_beside_where_its_workflow_comes_from() throws UnreadableJob {
        Envelope step = EnvelopeReader.read("{\"type\":\"a\",\"args\":[]}".getBytes(UTF_8));

        assertThat(new String(
                        context().putIntoStep(step, new StepPlace("chain", 2)).members(), UTF_8))
                .contains("\"ojs.workflow.trace_origin\":\"" + PARENT
                        + "\",\"ojs.workflow.type\":\"chain\",\"ojs.workflow.step\":2");
        assertThat(new String(context().putIntoStep(step, StepPlace.ADDED).members(), UTF_8))
                .contains("\"ojs.workflow.type\":\"batch\"")
                .doesNotContain("ojs.workflow.step");
    }

    @Test
    void baggage_travels_beside_the_trace_unless_the_job_has_its_own() throws UnreadableJob {
        TraceContext carried =
                TraceContext.of(PARENT, null, "userId=12345,tier=gold").orElseThrow();
        Envelope job = EnvelopeReader.read("{\"type\":\"a\",\"args\":[]}".getBytes(UTF_8));
        Envelope own =
                EnvelopeReader.read("{\"type\":\"a\",\"args\":[],\"meta\":{\"baggage\":\"userId=1\"}}".getBytes(UTF_8));

        assertThat(TraceContext.in(carried.putInto(job).members())).contains(carried);
        assertThat(TraceContext.in(carried.putInto(own).members()).orElseThrow().baggage())
                .isEqualTo("userId=1");
    }

    @Test
    void entries_of_baggage_beyond_the_bound_are_dropped() {
        String entry = "k=" + "x".repeat(4_000);
        assertThat(TraceContext.of(PARENT, null, String.join(",", entry, entry, entry))
                        .orElseThrow()
                        .baggage())
                .isEqualTo(String.join(",", entry, entry));
        assertThat(TraceContext.of(PARENT, null, "k=" + "x".repeat(9_000))
                        .orElseThrow()
                        .baggage())
                .isNull();
        assertThat(TraceContext.of(PARENT, null, "k=\n").orElseThrow().baggage())
                .isNull();
    }

    @Test
    void a_job_without_room_for_baggage_has_the_trace_alone() throws UnreadableJob {
        String much = "x".repeat(EnvelopeReader.MAX_META_BYTES - 6_000);
        Envelope job = EnvelopeReader.read("{\"type\":\"a\",\"args\":[],\"meta\":{\"much\":\"%s\"}}"
                .formatted(much)
                .getBytes(UTF_8));
        TraceContext carried =
                TraceContext.of(PARENT, null, "k=" + "x".repeat(4_000)).orElseThrow();

        TraceContext found = TraceContext.in(carried.putInto(job).members()).orElseThrow();

        assertThat(found.traceparent()).isEqualTo(PARENT);
        assertThat(found.baggage()).isNull();
    }

    private static TraceContext context() {
        return Optional.of(PARENT)
                .flatMap(parent -> TraceContext.of(parent, "b=\"2\"", null))
                .orElseThrow();
    }
}
