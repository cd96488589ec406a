package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Enqueued;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What became of what callers were answered.
 *
 * @param lost of the jobs that were enqueued
 * @param forgotten answers that a job has ended which did not last
 * @param doubled jobs that were there, handed out or completed once more than they should
 * @param over bounds and limits that were exceeded
 * @param other what is wrong besides
 */
public record Damage(Answers answers, long lost, long forgotten, long doubled, long over, long other) {
    /**
     * How requests were answered.
     *
     * @param enqueued jobs whose enqueue was answered
     * @param acked runs whose end was answered
     * @param rejected enqueues that were definitely not executed
     * @param unknown enqueues about which no answer says what became of them
     */
    public record Answers(long enqueued, long acked, long rejected, long unknown) {
        private static Answers of(History history) {
            List<Enqueued> enqueues = history.all(Enqueued.class);
            return new Answers(
                    enqueues.stream()
                            .filter(enqueued -> enqueued.answer() == Answer.OK)
                            .map(Enqueued::token)
                            .distinct()
                            .count(),
                    history.all(Acked.class).stream()
                            .filter(acked -> acked.answer() == Answer.OK)
                            .count(),
                    count(Answer.REJECTED, enqueues),
                    count(Answer.UNKNOWN, enqueues));
        }

        private static long count(Answer answer, List<Enqueued> enqueues) {
            return enqueues.stream()
                    .filter(enqueued -> enqueued.answer() == answer)
                    .count();
        }

        private Answers with(Answers more) {
            return new Answers(
                    enqueued + more.enqueued, acked + more.acked, rejected + more.rejected, unknown + more.unknown);
        }
    }

    private static final Set<String> LOST = claims(JobChecks.NOTHING_LOST);
    private static final Set<String> FORGOTTEN = claims(JobChecks.ANSWERS_STAND);
    private static final Set<String> DOUBLED =
            claims(JobChecks.NOTHING_UNINVITED, CheckOneLiveLease.CHECK, JobChecks.ENDED_STAYS_ENDED);
    private static final Set<String> OVER =
            claims(EventChecks.BOUNDS_HOLD, LimitChecks.CONCURRENCY_HOLDS, LimitChecks.RATES_HOLD);

    public static final Damage NONE = new Damage(new Answers(0, 0, 0, 0), 0, 0, 0, 0, 0);

    public static Damage other(long times) {
        return new Damage(NONE.answers, 0, 0, 0, 0, times);
    }

    public static Damage of(Verdict verdict) {
        long lost = violations(LOST, verdict);
        long forgotten = violations(FORGOTTEN, verdict);
        long doubled = violations(DOUBLED, verdict);
        long over = violations(OVER, verdict);
        long all = verdict.findings().stream()
                .mapToLong(finding -> finding.violations().size())
                .sum();
        return new Damage(
                Answers.of(verdict.history()), lost, forgotten, doubled, over, all - lost - forgotten - doubled - over);
    }

    public Damage with(Damage more) {
        return new Damage(
                answers.with(more.answers),
                lost + more.lost,
                forgotten + more.forgotten,
                doubled + more.doubled,
                over + more.over,
                other + more.other);
    }

    /** Whether everything that was answered is as it was answered. */
    public boolean isNone() {
        return lost + forgotten + doubled + over + other == 0;
    }

    private static Set<String> claims(Check... checks) {
        return Arrays.stream(checks).map(Check::claim).collect(Collectors.toUnmodifiableSet());
    }

    private static long violations(Set<String> claims, Verdict verdict) {
        return verdict.findings().stream()
                .filter(finding -> claims.contains(finding.claim()))
                .mapToLong(finding -> finding.violations().size())
                .sum();
    }
}
