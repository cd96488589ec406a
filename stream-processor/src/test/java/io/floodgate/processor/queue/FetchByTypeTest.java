package io.floodgate.processor.queue;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.state.TypeHash;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.ForwardingKeyValues;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** Workers that want jobs of some types, or all but those of some. */
class FetchByTypeTest extends PartitionTest {
    private static Commands.Job mail(String name) {
        return enqueue(name).type("email.send");
    }

    private static Commands.Job text(String name) {
        return enqueue(name).type("sms.send");
    }

    @Test
    void takes_what_it_names_in_the_order_of_one_line() {
        log.receives(
                mail("m1"), text("t1"), mail("m2"), text("t2"), mail("urgent").priority(5));
        log.receives(fetch().count(10).only("email.send")).replies().jobs("urgent", "m1", "m2");
        log.receives(fetch().count(10)).replies().jobs("t1", "t2");
    }

    @Test
    void leaves_what_it_names_to_others() {
        log.receives(mail("m1"), text("t1"), enqueue("other").type("report.make"), mail("m2"));
        log.receives(fetch().count(10).allBut("email.send")).replies().jobs("t1", "other");
        log.receives(fetch().count(10).allBut("email.send", "sms.send"))
                .replies()
                .nothing();
        log.receives(fetch().count(10)).replies().jobs("m1", "m2");
    }

    @Test
    void goes_from_queue_to_queue() {
        log.receives(mail("m1").to("a"), text("t1").to("b"), mail("m2").to("b"));
        log.receives(fetch("a", "b").count(10).only("sms.send")).replies().jobs("t1");
    }

    @Test
    void wakes_a_client_that_wants_the_job_and_no_client_before_him() {
        log.receives(
                fetch().waiting(ofMinutes(1)).only("email.send").as("mailer"),
                fetch().waiting(ofMinutes(1)).allBut("email.send").as("others"),
                fetch().waiting(ofMinutes(1)).as("anything"));
        log.receives(text("t1")).repliesTo("others").jobs("t1");
        log.keepsWaiting("mailer");
        log.receives(text("t2")).repliesTo("anything").jobs("t2");
        log.receives(text("t3"));
        log.keepsWaiting("mailer");
        log.receives(mail("m1")).repliesTo("mailer").jobs("m1");
        log.receives(fetch()).replies().jobs("t3");
    }

    @Test
    void wakes_all_who_want_something_when_several_jobs_come() {
        log.receives(
                fetch().waiting(ofMinutes(1)).only("email.send").as("mailer"),
                fetch().waiting(ofMinutes(1)).only("sms.send").as("texter"),
                fetch().waiting(ofMinutes(1)).only("email.send").as("second"));
        log.receives(Commands.batch(mail("m1"), text("t1"), mail("m2")));
        log.repliesTo("mailer").jobs("m1");
        log.repliesTo("texter").jobs("t1");
        log.repliesTo("second").jobs("m2");
    }

    @Test
    void a_watch_tells_of_what_is_wanted() {
        log.receives(text("t1"), watch(Duration.ZERO, "email.send"));
        log.replies().shown().shows("ready", false);
        log.receives(watch(ofSeconds(30), "email.send").as("watch"));
        log.receives(text("t2"));
        log.keepsWaiting("watch");
        log.receives(mail("m1")).repliesTo("watch").shown().shows("ready", true);
    }

    private static Ask watch(Duration wait, String type) {
        return ask(new Watch(List.of(Commands.QUEUE), wait, WantedJobs.only(List.of(type))));
    }

    @Test
    void still_waits_for_the_same_after_a_restart() {
        log.receives(fetch().waiting(ofMinutes(1)).only("email.send").as("mailer"));
        log.restarts().receives(text("t1"));
        log.keepsWaiting("mailer");
        log.receives(mail("m1")).repliesTo("mailer").jobs("m1");
    }

    @Test
    void limits_hold_for_what_is_wanted_and_permits_are_asked_for_nothing_else() {
        String limit = "{\"key\":\"k\",\"concurrency\":1}";
        log.receives(
                mail("m1").member("rate_limit", limit),
                text("t1").member("rate_limit", limit),
                text("t2").member("rate_limit", limit),
                text("free"));
        log.receives(fetch().count(10).only("sms.send")).replies().jobs("t1", "free");
        log.receives(Commands.ack("t1"), fetch().count(10).only("email.send"))
                .replies()
                .jobs("m1");
    }

    @Test
    void jobs_of_two_types_that_look_alike_are_distinguished() {
        assertThat(TypeHash.of("job.k1240", null)).isEqualTo(TypeHash.of("mail.n3047", null));
        log.receives(enqueue("s").type("job.k1240"), enqueue("t").type("mail.n3047"));
        log.receives(fetch().only("mail.n3047")).replies().jobs("t");
    }

    @Test
    void behind_very_many_of_another_type_it_finds_its_own_without_reading_them() {
        // given
        Routing routing = new Routing(1);
        AtomicInteger reads = new AtomicInteger();
        TestPartition many =
                new TestPartition(routing.logs().getFirst(), routing, stores -> counting(stores, reads)).unaudited();
        for (int i = 0; i < 3_000; i++) many.receives(mail("m" + i));
        many.receives(text("t1"));
        reads.set(0);
        // when
        many.receives(fetch().only("sms.send")).replies().jobs("t1");
        // then
        assertThat(reads.get()).isLessThan(20);
    }

    private static Stores counting(Stores stores, AtomicInteger reads) {
        return new Stores(
                new CountingReads(stores.payloads(), reads),
                new CountingReads(stores.jobs(), reads),
                new CountingReads(stores.entities(), reads));
    }

    /** Every entry that is read counts. */
    private static final class CountingReads extends ForwardingKeyValues {
        private final AtomicInteger reads;

        private CountingReads(KeyValues base, AtomicInteger reads) {
            super(base);
            this.reads = reads;
        }

        @Override
        public byte[] get(byte[] key) {
            reads.incrementAndGet();
            return base.get(key);
        }

        @Override
        public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            base.scan(from, to, counted(visitor));
        }

        @Override
        public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
            base.scanBack(from, to, counted(visitor));
        }

        private BiPredicate<byte[], byte[]> counted(BiPredicate<byte[], byte[]> visitor) {
            return (key, value) -> {
                reads.incrementAndGet();
                return visitor.test(key, value);
            };
        }
    }
}
