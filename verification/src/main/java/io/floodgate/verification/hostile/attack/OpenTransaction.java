package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;
import java.time.Duration;
import java.util.Map;

/** No consumer reads past an open transaction, so none may be open for long. */
public final class OpenTransaction implements Attack {
    private static final Duration LONGEST = Duration.ofSeconds(90);

    @Override
    public String name() {
        return "open-transaction";
    }

    @Override
    public String what() {
        return "a job in a transaction that is not ended, for as long as the broker lets it";
    }

    @Override
    public boolean needsItsOwnServer() {
        return true;
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        long begun = System.nanoTime();
        target.whileCanaryIsSilent(() -> {
            try (KafkaSender kafka =
                    target.kafka(Map.of("transactional.id", "nobody-ends-it", "transaction.timeout.ms", 60_000))) {
                kafka.beginTransaction();
                kafka.send(new Draft(target.partition(), bytes("{\"type\":\"a\",\"args\":[]}")));
                kafka.flush();
                target.awaitService("behind an open transaction");
            }
        });
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        target.complainUnless(
                took.compareTo(LONGEST) < 0, "an open transaction held all back for %d s".formatted(took.toSeconds()));
    }
}
