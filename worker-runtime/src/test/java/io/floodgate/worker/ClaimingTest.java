package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.command.WantedJobs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimingTest extends WorkerFixture {
    @Test
    void a_fetch_asks_for_as_many_jobs_as_permits_are_free() throws Exception {
        // given
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        builder.concurrency(3).handle("a", context -> {
            started.countDown();
            end.await();
            return null;
        });
        // when
        startWith("a");
        await(started);
        // then
        assertThat(log.nextFetch().count()).isEqualTo(3);
        assertThat(log.nextFetch().count()).isEqualTo(2);
        end.countDown();
    }

    @Test
    void nothing_is_asked_for_while_no_permit_is_free() throws Exception {
        // given
        CyclicBarrier end = new CyclicBarrier(3);
        CountDownLatch started = new CountDownLatch(2);
        builder.concurrency(2).handle("a", context -> {
            started.countDown();
            end.await();
            return null;
        });
        // when
        log.has("a");
        startWith("a");
        log.nextFetch();
        await(started);
        // then
        assertThat(log.fetches).isEmpty();
        end.await();
        log.nextReport();
        log.nextReport();
        assertThat(log.nextFetch().count()).isPositive();
    }

    @Test
    void only_jobs_of_types_that_the_worker_handles_are_asked_for() throws Exception {
        // given
        log.heedsTypes();
        builder.concurrency(1).handle("a", context -> null);
        log.has("of.another.worker");
        var id = log.has("a");
        // when
        start();
        // then
        assertThat(log.nextFetch().types()).isEqualTo(WantedJobs.only(List.of("a", "other")));
        assertThat(log.nextReport().job()).isEqualTo(id);
        log.nextFetch();
        assertThat(log.reports).isEmpty();
    }

    @Test
    void only_versions_that_the_worker_takes_are_asked_for() throws Exception {
        builder.handle("a", context -> null).versions("a", ">=1.0 <2.0", "3.1");
        start();
        WantedJobs asked = log.nextFetch().types();
        assertThat(asked.names()).containsExactly("a", "other");
        assertThat(asked.versions()).hasToString("{a=1.x or 3.1}");
    }

    @Test
    void only_jobs_of_the_tenants_that_the_worker_takes_are_asked_for() throws Exception {
        builder.handle("a", context -> null).tenants("acme", "_default");
        start();
        assertThat(log.nextFetch().types())
                .isEqualTo(WantedJobs.only(List.of("a", "other")).ofTenants(List.of("_default", "acme")));
    }

    @Test
    void tenants_that_make_no_sense_are_rejected() {
        assertThatThrownBy(() -> builder.tenants("acme", "*"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'*'");
        builder.tenants(IntStream.range(0, 100).mapToObj(n -> "t" + n).toArray(String[]::new))
                .queues(IntStream.range(0, 11).mapToObj(n -> "q" + n).toArray(String[]::new));
        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1000 pairs");
    }

    @Test
    void versions_that_make_no_sense_are_rejected() {
        assertThatThrownBy(() -> builder.versions("a", "^1.0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("^1.0");
        builder.versions("never.handled", "2.x");
        assertThatThrownBy(this::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("never.handled");
    }

    @Test
    void with_more_types_than_a_fetch_can_name_all_are_asked_for() throws Exception {
        for (int i = 0; i < WantedJobs.MOST; i++) builder.handle("type" + i, context -> null);
        start();
        assertThat(log.nextFetch().types()).isEqualTo(WantedJobs.ALL);
    }

    @Test
    void an_error_in_a_fetch_or_a_heartbeat_ends_neither_claiming_nor_beating() throws Exception {
        // given
        builder.concurrency(3).handle("a", context -> null);
        log.failsOnceEach(new NoClassDefFoundError("for a moment"));
        start();
        // when
        until(() -> {
            time.pass(Duration.ofSeconds(1));
            return !log.fetches.isEmpty() && !log.beats.isEmpty();
        });
        // then
        assertThat(log.nextFetch().count()).isEqualTo(3);
    }

    @Test
    void a_worker_that_is_sent_away_at_once_does_not_come_back_at_once() throws Exception {
        builder.heartbeat(Duration.ofDays(1));
        start();
        log.nextFetch();
        log.endsParkedFetches();
        time.awaitSet(Duration.ofSeconds(1));
        assertThat(log.fetches).isEmpty();
        passPause();
        log.nextFetch();
    }

    @Test
    void the_meters_show_permits_and_outcomes() throws Exception {
        // given
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        builder.meters(meters).handle("a", context -> null);
        // when
        log.has("a");
        Worker worker = start();
        log.nextReport();
        closeInTheBackground(worker).join();
        // then
        assertThat(meters.get("ojs.worker.permits").gauge().value()).isEqualTo(2);
        assertThat(meters.get("ojs.worker.permits.free").gauge().value()).isEqualTo(2);
        assertThat(meters.get("ojs.worker.running").gauge().value()).isZero();
        assertThat(meters.get("ojs.worker.outcomes")
                        .tag("outcome", "succeeded")
                        .counter()
                        .count())
                .isEqualTo(1);
    }
}
