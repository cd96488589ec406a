package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/** Records behind an open transaction are not read, so none may stay open for long. */
public final class OpenTransaction implements LoneAttack {
    private static final Duration ALLOWED = Duration.ofMinutes(1);
    private static final Duration LONGER_THAN_ALLOWED = Duration.ofMinutes(15);
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Duration BETWEEN_JOBS = Duration.ofMillis(500);

    @Override
    public String name() {
        return "open-transaction";
    }

    @Override
    public String what() {
        return "a job in a transaction that stays open for as long as the broker permits";
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    /** The canary is behind the transaction, too. */
    @Override
    public boolean holdsUpItsPartition() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        try (KafkaSender kafka = transactional(target, LONGER_THAN_ALLOWED)) {
            kafka.beginTransaction();
            target.complain(
                    "the broker lets a transaction be open for %d minutes".formatted(LONGER_THAN_ALLOWED.toMinutes()));
        } catch (KafkaException rejected) {
            // as it should be
        }
        long begun = System.nanoTime();
        try (KafkaSender kafka = transactional(target, ALLOWED);
                Caller caller = target.caller()) {
            kafka.beginTransaction();
            kafka.send(new Draft(target.partition(), bytes("{\"type\":\"a\",\"args\":[]}")));
            kafka.flush();
            byte[] behind = RequestBodies.job(target.queue("behind"), 10);
            byte[] elsewhere = RequestBodies.job(target.queueElsewhere("open"), 10);
            boolean open = true;
            while (open && since(begun).compareTo(LONGEST) < 0) {
                Heard other = caller.post(RequestBodies.JOBS, elsewhere);
                target.complainUnless(other.isOk(), "a job in another partition was answered " + other.shown());
                Heard heard = caller.post(RequestBodies.JOBS, behind);
                open = !heard.isOk();
                target.complainUnless(
                        heard.isOk() || heard.isHonestlyUnavailable(),
                        "behind it, a job was answered " + heard.shown());
                Await.pause(BETWEEN_JOBS);
            }
            target.complainUnless(!open, "an open transaction held all back for %d s".formatted(LONGEST.toSeconds()));
        }
        target.note("open for %d s".formatted(since(begun).toSeconds()));
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }

    private static KafkaSender transactional(Target target, Duration timeout) {
        return target.kafka(
                Map.of("transactional.id", "never-ends", "transaction.timeout.ms", (int) timeout.toMillis()));
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
