package io.floodgate.topics.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String OTHER = "00-11111111111111111111111111111111-2222222222222222-00";

    @ParameterizedTest
    @ValueSource(
            strings = {
                PARENT,
                "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what.comes.later",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
            })
    void a_trace_context_is_known_by_its_form(String text) {
        assertThat(TraceContext.of(text, null)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "none",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\"",
            })
    void what_is_none_is_left_out(String text) {
        assertThat(TraceContext.of(text, "a=1")).isEmpty();
    }

    @Test
    void a_state_that_is_too_long_or_unprintable_is_left_out_and_the_trace_goes_on() {
        assertThat(TraceContext.of(PARENT, "x".repeat(513)).orElseThrow().tracestate())
                .isNull();
        assertThat(TraceContext.of(PARENT, "a=\n").orElseThrow().tracestate()).isNull();
        assertThat(TraceContext.of(PARENT, "a=1,b=\"2\"").orElseThrow().tracestate())
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

        assertThat(new String(context().putIntoStep(step).members(), UTF_8))
                .contains("\"ojs.workflow.trace_origin\":\"" + PARENT + "\"");
    }

    private static TraceContext context() {
        return Optional.of(PARENT)
                .flatMap(parent -> TraceContext.of(parent, "b=\"2\""))
                .orElseThrow();
    }
}
