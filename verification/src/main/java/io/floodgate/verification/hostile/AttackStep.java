package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Await;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

/** A part of an attack. */
@FunctionalInterface
interface AttackStep {
    Duration SHOWN_WITHIN = Duration.ofSeconds(60);

    void run(Target target) throws Exception;

    /** Time for the canary to notice, in seconds. */
    static AttackStep listen(int full, int brief) {
        return target -> target.listen(target.scaled(full, brief));
    }

    /** The end of a part that has figures of its own. */
    static AttackStep phase(String name) {
        return target -> target.endPhase(name);
    }

    /** Records by Kafka; returns when the broker has all of them. */
    static AttackStep records(Function<Target, Stream<KafkaSender.Draft>> drafts) {
        return target -> {
            try (KafkaSender kafka = target.kafka()) {
                drafts.apply(target).forEach(kafka::send);
                kafka.flush();
            }
        };
    }

    /** An operator who looks at {@code /ready} and {@code /metrics} can see this word. */
    static AttackStep shows(String word) {
        return target -> Await.until(
                "/ready or /metrics shows " + word,
                SHOWN_WITHIN,
                () -> target.text("/ready").contains(word)
                        || target.text("/metrics").contains(word));
    }
}
