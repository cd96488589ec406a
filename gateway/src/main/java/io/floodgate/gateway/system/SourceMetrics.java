package io.floodgate.gateway.system;

import io.floodgate.gateway.source.SourceStanding;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How far sources are behind their topics. */
final class SourceMetrics {
    private final MultiGauge lag;
    private final MultiGauge still;
    private final Clock clock;
    private volatile Supplier<List<SourceStanding>> sources = List::of;

    SourceMetrics(MeterRegistry registry, Clock clock) {
        this.clock = clock;
        lag = MultiGauge.builder("floodgate.source.lag")
                .description("Records of a source's topic that have not come in")
                .register(registry);
        still = MultiGauge.builder("floodgate.source.still.seconds")
                .description("Seconds for which records of a source have waited and none has come in")
                .register(registry);
    }

    void askFor(Supplier<List<SourceStanding>> source) {
        sources = source;
    }

    void update() {
        List<Row<?>> lags = new ArrayList<>();
        List<Row<?>> stills = new ArrayList<>();
        for (SourceStanding each : sources.get()) {
            Tags tags = Tags.of(
                    "source", each.source().name(), "queue", each.source().queue());
            if (!each.rows().isEmpty()) lags.add(Row.of(tags, each.lag()));
            stills.add(Row.of(
                    tags,
                    each.stillSince() == null
                            ? 0
                            : Duration.between(each.stillSince(), clock.instant())
                                    .toSeconds()));
        }
        lag.register(lags, true);
        still.register(stills, true);
    }
}
