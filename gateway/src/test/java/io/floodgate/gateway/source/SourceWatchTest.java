package io.floodgate.gateway.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.FakeSourceTopics;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.command.SourceCommand.ValueForm;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceWatchTest {
    private static final Source ORDERS = new Source(
            "orders",
            "shop.orders",
            "work",
            new Mapping(ValueForm.JSON, "{\"type\":\"a\"}".getBytes(UTF_8), null),
            new Beginning(Beginning.EARLIEST, 1),
            false,
            Instant.EPOCH,
            1);

    private final FakePartitions registry = new FakePartitions();
    private final FakeSourceTopics topics = new FakeSourceTopics();
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final InstantSource time = () -> now;
    private final Clock clock = time.withZone(ZoneOffset.UTC);
    private final SourceWatch watch = new SourceWatch(new Partitions(registry, Duration.ofSeconds(1)), topics, clock);

    private SourceStanding look(int secondsLater, long position, long end) {
        now = now.plusSeconds(secondsLater);
        topics.has("shop.orders", new SourceTopics.Row(0, position, end));
        return watch.look(List.of(ORDERS)).getFirst();
    }

    @Test
    void counts_what_comes_in_between_two_looks() {
        assertThat(look(0, 100, 200).perSecond()).isNull();
        assertThat(look(10, 150, 200).perSecond()).isEqualTo(5.0);
        assertThat(look(1, 190, 200).perSecond()).as("a short time says little").isEqualTo(5.0);
        assertThat(look(3, 190, 200).perSecond()).isEqualTo(10.0);
    }

    @Test
    void knows_since_when_nothing_comes_in() {
        Instant begin = now;
        assertThat(look(0, 100, 200).stillSince()).isNull();
        assertThat(look(10, 100, 200).stillSince()).isEqualTo(begin);
        assertThat(look(60, 100, 300).stillSince()).isEqualTo(begin);
        assertThat(look(10, 101, 300).stillSince()).isNull();
        assertThat(look(10, 101, 101).stillSince()).as("nothing waits").isNull();
        look(10, 101, 102);
        assertThat(look(600, 101, 102).stillSince())
                .as("not looked at for long")
                .isNull();
    }

    @Test
    void asks_once_for_all_who_look_lately_and_keeps_what_it_knows() {
        registry.answer(
                ReplyLines.write(new RegistryHead(1)).toString(),
                ReplyLines.write(ORDERS).toString());
        look(0, 100, 200);
        assertThat(watch.lately()).hasSize(1);
        assertThat(watch.lately().getFirst().lag()).isEqualTo(100);
        assertThat(registry.sent()).hasSize(1);

        registry.reset();
        now = now.plusSeconds(11);
        assertThat(watch.lately()).as("the registry is silent").hasSize(1);
    }

    @Test
    void does_not_know_without_kafka() {
        topics.answers(false);
        assertThat(watch.look(List.of(ORDERS)).getFirst().state()).isEqualTo("unknown");
    }
}
