package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.operand;
import static io.floodgate.processor.simulation.Edit.then;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.LIMITS;
import static io.floodgate.processor.simulation.Mutant.Search.LIMIT_LOSSES;

import java.util.List;

/** What the searches must find of rate limits. */
final class LimitMutants {
    private LimitMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(LIMITS, "permits are given without being counted", "permits-given", deleted()),
            Mutant.of(LIMITS, "one more runs than may", "limit-concurrency", then(value(operand("2", "$ + 1")))),
            Mutant.of(
                    LIMITS,
                    "a lost lease keeps its permit",
                    "permit-freed",
                    condition("$ && !(change instanceof LeaseLost)")),
            Mutant.of(
                            LIMITS,
                            "a run that is spared goes on without its permit",
                            "permit-freed",
                            condition("$ || change instanceof LeaseGraceGranted"))
                    .near(37),
            Mutant.of(LIMITS, "windows are fixed", "sliding-window", condition("$1.1 / $1.2 == $2 / $1.2")),
            Mutant.of(LIMITS, "starts are forgotten at a restart", "stored-limit", deleted()),
            Mutant.of(
                    LIMITS,
                    "starts of a throttle follow one another too closely",
                    "throttle-spacing",
                    value("spacing / 10")),
            Mutant.of(
                    LIMITS,
                    "what is not heard of counts from when its permit was given",
                    "unreported-start",
                    value("$1")),
            Mutant.of(LIMITS, "starts are reported as of the date of their permit", "reported-start", value("$2")),
            Mutant.of(
                            LIMIT_LOSSES,
                            "a start counts too early while the clock of its partition has stepped back",
                            "slow-start",
                            condition("false"))
                    .near(368),
            Mutant.of(LIMITS, "permits are kept until a worker comes", "stock-kept", value("$ + 10_000")),
            Mutant.of(
                    LIMIT_LOSSES,
                    "that there are permits again is never known after the message was lost",
                    "held-after-loss",
                    deleted()),
            Mutant.of(LIMITS, "a queue's starts do not count", "queue-start", deleted()),
            Mutant.of(LIMITS, "a key that is to be left alone is not", "key-frozen", deleted()),
            Mutant.of(
                    LIMITS,
                    "which queue has jobs of a key is in the order of their coming",
                    "order-of-sub-queues",
                    value("new java.util.LinkedHashMap<>()")),
            Mutant.of(LIMITS, "an account that is no longer needed stays for ever", "idle-account", deleted()));
}
