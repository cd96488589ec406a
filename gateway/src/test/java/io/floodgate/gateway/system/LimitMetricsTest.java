package io.floodgate.gateway.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.limit.LimitOperations.Gauge;
import io.floodgate.topics.event.OjsEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LimitMetricsTest {
    private static final int MOST_KEYS = 2;

    private MeterRegistry registry = new SimpleMeterRegistry();
    private LimitMetrics metrics = new LimitMetrics(registry, MOST_KEYS);

    private void happens(String type, String key, String data) {
        String json = """
                {"type":"%s","subject":"%s","data":{"key":"%s",%s}}""".formatted(type, key, key, data);
        metrics.count(
                new OjsEvent(0, 0, "evt", type, "", key, null, null, null, json.getBytes(StandardCharsets.UTF_8)));
    }

    private void starts(String limit) {
        String json = "{\"type\":\"job.started\",\"data\":{\"queue\":\"q\",%s}}".formatted(limit);
        metrics.count(new OjsEvent(
                0, 0, "evt", "job.started", "", "id", null, null, null, json.getBytes(StandardCharsets.UTF_8)));
    }

    private void exceeded(String key) {
        happens("rate_limit.exceeded", key, "\"strategy\":\"rate\"");
    }

    private double exceededTimes(String key) {
        return registry.get("ojs.rate_limit.exceeded")
                .tags("key", key, "strategy", "rate")
                .counter()
                .count();
    }

    private double gauge(String name, String key) {
        return registry.get(name).tag("key", key).gauge().value();
    }

    @Test
    void count_how_often_a_limit_has_held_jobs_back() {
        exceeded("a");
        exceeded("a");
        exceeded("b");
        assertThat(exceededTimes("a")).isEqualTo(2);
        assertThat(exceededTimes("b")).isEqualTo(1);
    }

    @Test
    void tell_so_many_keys_apart_and_no_more() {
        for (String key : List.of("a", "b", "c", "d", "a")) exceeded(key);
        assertThat(exceededTimes("a")).isEqualTo(2);
        assertThat(exceededTimes("_other")).isEqualTo(2);
        assertThat(registry.find("ojs.rate_limit.exceeded").tag("key", "c").counter())
                .isNull();
    }

    @Test
    void forget_keys_that_nothing_was_heard_of_for_an_hour_when_there_are_too_many() {
        MockClock clock = new MockClock();
        registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        metrics = new LimitMetrics(registry, MOST_KEYS);
        exceeded("a");
        exceeded("b");
        clock.add(Duration.ofMinutes(59));
        exceeded("b");
        clock.add(Duration.ofMinutes(1));
        exceeded("c");
        assertThat(exceededTimes("c")).isEqualTo(1);
        assertThat(exceededTimes("b")).isEqualTo(2);
        assertThat(registry.find("ojs.rate_limit.exceeded").tag("key", "a").counter())
                .isNull();
    }

    @Test
    void tell_how_long_jobs_were_held_back() {
        starts("\"rate_limit\":{\"key\":\"a\",\"permit_us\":1,\"waited_ms\":1500}");
        starts("\"rate_limit\":{\"key\":\"a\",\"permit_us\":1}");
        starts("\"queue_limit\":{\"key\":\"queue:q\",\"waited_ms\":7}");
        assertThat(registry.get("ojs.rate_limit.wait_duration")
                        .tag("key", "queue:q")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
        var timer = registry.get("ojs.rate_limit.wait_duration").tag("key", "a").timer();
        assertThat(timer.count()).isEqualTo(1);
        assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1_500);
    }

    @Test
    void show_what_runs_and_waits_and_forget_keys_that_are_gone() {
        metrics.askFor(most -> List.of(new Gauge("a", 3, 7), new Gauge("b", 1, 0)));
        metrics.update();
        assertThat(gauge("ojs.rate_limit.active", "a")).isEqualTo(3);
        assertThat(gauge("ojs.rate_limit.waiting", "a")).isEqualTo(7);
        metrics.askFor(most -> List.of(new Gauge("b", 2, 0)));
        metrics.update();
        assertThat(gauge("ojs.rate_limit.active", "b")).isEqualTo(2);
        assertThat(registry.find("ojs.rate_limit.active").tag("key", "a").gauge())
                .isNull();
    }

    @Test
    void leave_other_events_alone() {
        happens("queue.paused", "a", "\"strategy\":\"rate\"");
        assertThat(registry.find("ojs.rate_limit.exceeded").counter()).isNull();
    }
}
