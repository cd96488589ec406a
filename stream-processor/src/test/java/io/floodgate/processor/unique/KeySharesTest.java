package io.floodgate.processor.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What one caller can take of the room that a partition has for unique jobs. */
class KeySharesTest extends PartitionTest {
    private static final Identity CONFINED = new Identity("a", List.of("q"), null);
    private static final String SPACE = Objects.requireNonNull(Identity.spaceOf(CONFINED));

    private Answered enqueues(String name, Identity by, String more) {
        return log.receives(enqueue(name)
                        .type("type." + name)
                        .to("q")
                        .maxAttempts(1)
                        .member("unique", "{\"keys\":[\"type\",\"queue\"]" + more + "}")
                        .sentBy(by))
                .replies();
    }

    private KeyShares shares() {
        return new KeyShares(log.state().stores().entities());
    }

    /** Whether a key that no job has counts as known to this caller. */
    private long known(Identity by) {
        log.receives(ask(new CheckKeys(List.of("0".repeat(64)))).sentBy(by));
        return log.replies().shown().json().get("known").longValue();
    }

    @Test
    void one_key_cannot_take_all_the_room_for_unique_jobs() {
        enqueues("j1", CONFINED, "").shown().is("available");
        shares().add(SPACE, KeyShares.MAX_OWNED - 2);
        log.restarts();
        enqueues("j2", CONFINED, "").shown().is("available");
        enqueues("j3", CONFINED, "").rejected(ErrorCode.RATE_LIMITED).with("reason", "too_many_unique_keys");
        enqueues("j4", new Identity("b", List.of("q"), null), "").rejected(ErrorCode.RATE_LIMITED);
        enqueues("j5", new Identity("c", List.of("q"), "acme"), "").shown().is("available");
        enqueues("j6", new Identity("d", null, null), "").shown().is("available");
        assertThat(known(CONFINED)).isOne();
        assertThat(known(new Identity("d", null, null))).isZero();
        log.receives(cancel("j1"));
        assertThat(known(CONFINED)).isZero();
        enqueues("j7", CONFINED, "").shown().is("available");
    }

    @Test
    void a_job_counts_for_its_callers_until_its_key_is_free() {
        enqueues("j1", CONFINED, "");
        enqueues("j2", CONFINED, ",\"period\":\"PT1H\",\"states\":[\"available\",\"cancelled\"]");
        assertThat(shares().of(SPACE)).isEqualTo(2);
        log.receives(cancel("j1"), cancel("j2"));
        assertThat(shares().of(SPACE)).isOne();
        log.after(Duration.ofMinutes(62));
        assertThat(shares().of(SPACE)).isZero();
    }

    @Test
    void a_dead_letter_that_its_caller_retries_counts_again() {
        enqueues("j1", CONFINED, "");
        log.receives(fetch("q").by("w"), nack("j1").by("w"));
        assertThat(shares().of(SPACE)).isZero();
        log.receives(retryDead("j1").sentBy(CONFINED));
        assertThat(shares().of(SPACE)).isOne();
        log.receives(cancel("j1"), reset());
        assertThat(shares().of(SPACE)).isZero();
    }
}
