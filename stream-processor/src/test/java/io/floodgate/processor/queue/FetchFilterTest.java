package io.floodgate.processor.queue;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for each filter of a fetch. */
class FetchFilterTest extends PartitionTest {
    @SuppressWarnings("ImmutableEnumChecker") // the functions keep nothing
    enum Filter {
        TYPES(job -> job.type("a"), job -> job.type("b"), fetch -> fetch.only("a"), fetch -> fetch.allBut("a")),
        VERSIONS(
                job -> job.type("t").member("version", "\"1.9\""),
                job -> job.type("t").member("version", "\"2.0\""),
                fetch -> fetch.accepting("t", ">=1.0 <2.0"),
                fetch -> fetch.accepting("t", "2.x")),
        TENANTS(job -> job.of("a"), job -> job.of("b"), fetch -> fetch.ofTenants("a"), fetch -> fetch.ofTenants("b"));

        private final Consumer<Job> wanted;
        private final Consumer<Job> unwanted;
        private final Consumer<Taking> fetch;
        private final Consumer<Taking> opposite;

        Filter(Consumer<Job> wanted, Consumer<Job> unwanted, Consumer<Taking> fetch, Consumer<Taking> opposite) {
            this.wanted = wanted;
            this.unwanted = unwanted;
            this.fetch = fetch;
            this.opposite = opposite;
        }

        private Job wanted(String name) {
            return with(enqueue(name), wanted);
        }

        private Job unwanted(String name) {
            return with(enqueue(name), unwanted);
        }

        private Taking fetches() {
            return with(fetch().count(10), fetch);
        }

        private Taking fetchesOpposite() {
            return with(fetch().count(10), opposite);
        }

        private Ask watches(Duration wait) {
            return ask(new Watch(List.of(QUEUE), wait, ((Fetch) fetches().command()).types()));
        }

        private static <T> T with(T ask, Consumer<T> setting) {
            setting.accept(ask);
            return ask;
        }
    }

    @ParameterizedTest
    @EnumSource
    void takes_what_is_wanted_in_the_order_of_one_line(Filter filter) {
        log.receives(filter.wanted("a1"), filter.unwanted("b1"), filter.wanted("a2"), filter.unwanted("b2"));
        log.receives(filter.wanted("urgent").priority(5));
        log.receives(filter.fetches()).replies().jobs("urgent", "a1", "a2");
        log.receives(filter.fetches()).replies().nothing();
        log.receives(fetch().count(10)).replies().jobs("b1", "b2");
    }

    @ParameterizedTest
    @EnumSource
    void wakes_a_client_that_wants_the_job_and_no_client_before_it(Filter filter) {
        log.receives(
                filter.fetches().waiting(ofMinutes(1)).as("first"),
                filter.fetchesOpposite().waiting(ofMinutes(1)).as("second"),
                fetch().waiting(ofMinutes(1)).as("any"));
        log.receives(filter.unwanted("b1")).repliesTo("second").jobs("b1");
        log.keepsWaiting("first");
        log.receives(filter.unwanted("b2")).repliesTo("any").jobs("b2");
        log.receives(filter.unwanted("b3")).keepsWaiting("first");
        log.receives(filter.wanted("a1")).repliesTo("first").jobs("a1");
        log.receives(fetch()).replies().jobs("b3");
    }

    @ParameterizedTest
    @EnumSource
    void a_watch_tells_of_what_is_wanted(Filter filter) {
        log.receives(filter.unwanted("b1"), filter.watches(Duration.ZERO))
                .replies()
                .ready(false);
        log.receives(filter.watches(ofSeconds(30)).as("watch"), filter.unwanted("b2"))
                .keepsWaiting("watch");
        log.receives(filter.wanted("a1")).repliesTo("watch").ready(true);
    }

    @ParameterizedTest
    @EnumSource
    void still_waits_for_the_same_after_a_restart(Filter filter) {
        log.receives(filter.fetches().waiting(ofMinutes(1)).as("first"), filter.unwanted("b1"));
        log.restarts().receives(filter.unwanted("b2")).keepsWaiting("first");
        log.receives(filter.wanted("a1")).repliesTo("first").jobs("a1");
    }

    @ParameterizedTest
    @EnumSource
    void limits_hold_for_what_is_wanted_and_permits_are_asked_for_nothing_else(Filter filter) {
        String limit = "{\"key\":\"k\",\"concurrency\":1}";
        log.receives(
                filter.wanted("a1").member("rate_limit", limit),
                filter.unwanted("b1").member("rate_limit", limit),
                filter.unwanted("b2").member("rate_limit", limit),
                filter.unwanted("free"));
        log.receives(filter.fetchesOpposite()).replies().jobs("b1", "free");
        log.receives(ack("b1"), filter.fetches()).replies().jobs("a1");
    }
}
