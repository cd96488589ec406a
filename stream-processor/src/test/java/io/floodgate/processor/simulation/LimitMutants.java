package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Mutant.Search.LIMITS;

import java.util.List;

/** What the searches must find of rate limits. */
final class LimitMutants {
    private LimitMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    LIMITS, "permits are given without being counted", "limit/LimitRules", "next.given += count;", ""),
            Mutant.of(
                    LIMITS,
                    "one more runs than may",
                    "limit/Limiter",
                    "allowance.concurrency() - active);",
                    "allowance.concurrency() - active + 1);"),
            Mutant.of(
                    LIMITS,
                    "a lost lease keeps its permit",
                    "queue/Transitions",
                    "if (job.lease == null) job.permit = 0;",
                    "if (job.lease == null && !(change instanceof LeaseLost)) job.permit = 0;"),
            Mutant.of(
                            LIMITS,
                            "a run that is spared goes on without its permit",
                            "queue/Transitions",
                            "if (job.lease == null) job.permit = 0;",
                            "if (job.lease == null || change instanceof LeaseSpared) job.permit = 0;")
                    .near(37),
            Mutant.of(
                    LIMITS,
                    "windows are fixed",
                    "limit/Window",
                    "if (group.last + rate.period().toMillis() > now) break;",
                    "if (group.last / rate.period().toMillis() == now / rate.period().toMillis()) break;"),
            Mutant.of(LIMITS, "starts are forgotten at a restart", "limit/LimitStore", "limit.restore(value);", ""),
            Mutant.of(
                    LIMITS,
                    "starts of a throttle follow one another too closely",
                    "limit/Limiter",
                    "lastUs + least);",
                    "lastUs + spacing / 10);"),
            Mutant.of(
                    LIMITS,
                    "what is not heard of counts from when its permit was given",
                    "limit/Limiter",
                    "return date + USABLE_MS;",
                    "return date;"),
            Mutant.of(
                    LIMITS,
                    "starts are reported as of the date of their permit",
                    "queue/Desks",
                    "Math.clamp(desk.lateness.there(now()), permit.date(), permit.until())",
                    "permit.date()"),
            Mutant.of(LIMITS, "permits are kept until somebody comes", "queue/Desks", "+ kept;", "+ kept + 10_000;"),
            Mutant.of(
                    LIMITS,
                    "a queue's starts do not count",
                    "queue/StartLimits",
                    "limit.start(queue.limits(), out.now());",
                    ""),
            Mutant.of(
                    LIMITS,
                    "a key that is to be left alone is not",
                    "limit/LimitRules",
                    "limit.freeze(until, Limits.echo(message.reason()), out.now());",
                    ""),
            Mutant.of(
                    LIMITS,
                    "which queue has jobs of a key is in the order of their coming",
                    "queue/Desk",
                    "lanes = new TreeMap<>();",
                    "lanes = new java.util.LinkedHashMap<>();"),
            Mutant.of(
                    LIMITS,
                    "a desk that nobody needs any more stays for ever",
                    "queue/Desks",
                    "if (desk.timer == null && desk.isIdle()) at = Math.min(at, now() + IDLE_MS);",
                    ""));
}
