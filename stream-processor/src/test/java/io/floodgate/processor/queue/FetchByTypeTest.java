package io.floodgate.processor.queue;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.queue.state.TypeHash;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.ForwardingKeyValues;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.Routing;
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
