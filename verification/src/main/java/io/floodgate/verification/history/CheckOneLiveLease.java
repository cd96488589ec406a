package io.floodgate.verification.history;

import io.floodgate.verification.history.History.DeliveryRef;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Beat;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.history.Step.Nacked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Between two hand-outs of a job, the first lease must have ended: because its holder said so, because its time was up
 * counted from the earliest moment at which it can have begun, or because the worker was silent for too long. Where a broker's
 * clock is set ahead by little, time passes at once, and the lease ends so much earlier.
 */
final class CheckOneLiveLease {
    static final Check CHECK = new Check("no job is under two live leases", CheckOneLiveLease::find);

    /** Logs count in milliseconds, and their clock may be put right a little while ours goes on. */
    private static final long SLACK = Duration.ofMillis(25).toNanos();

    /** A process looks once a second what its clock shows. */
    private static final long NOTICED = Duration.ofSeconds(3).toNanos();

    private static final long SILENCE = Duration.ofSeconds(30).toNanos();

    private CheckOneLiveLease() {}

    private static void find(History history, List<Violation> found) {
        Reports reports = new Reports(history);
        history.deliveryRefs().forEach((job, deliveryRefs) -> {
            for (int i = 1; i < deliveryRefs.size(); i++) {
                DeliveryRef before = deliveryRefs.get(i - 1);
                DeliveryRef after = deliveryRefs.get(i);
                if (before.job().lease() == after.job().lease())
                    found.add(new Violation(
                            job,
                            "lease %d was handed out twice"
                                    .formatted(after.job().lease())));
                else if (!reports.hasEnded(before, after.fetch().span().ended()))
                    found.add(new Violation(
                            job,
                            "lease %d of %s began while lease %d of %s was live"
                                    .formatted(
                                            after.job().lease(),
                                            after.fetch().worker(),
                                            before.job().lease(),
                                            before.fetch().worker())));
            }
            reports.acceptedTooLate(job, deliveryRefs, found);
        });
    }

    private static final class Reports {
        private final Map<String, List<Nacked>> nacks = new HashMap<>();
        private final Map<String, List<Acked>> acks = new HashMap<>();
        private final Map<String, List<Beat>> beats = new HashMap<>();
        private final List<ClockSet> clocks;

        Reports(History history) {
            clocks = history.all(ClockSet.class);
            for (Nacked nack : history.all(Nacked.class))
                nacks.computeIfAbsent(nack.id(), id -> new ArrayList<>()).add(nack);
            for (Acked ack : history.all(Acked.class))
                acks.computeIfAbsent(ack.id(), id -> new ArrayList<>()).add(ack);
            for (Beat beat : history.all(Beat.class))
                beats.computeIfAbsent(beat.worker(), id -> new ArrayList<>()).add(beat);
        }

        boolean hasEnded(DeliveryRef deliveryRef, long now) {
            boolean reported = nacks.getOrDefault(deliveryRef.job().id(), List.of()).stream()
                    .anyMatch(nack -> nack.lease() == deliveryRef.job().lease()
                            && nack.answer().mayHaveHappened()
                            && nack.span().begun() < now);
            long early = SLACK + setAhead(deliveryRef.fetch().span().begun(), now);
            return reported || now + early >= Math.min(timeIsUp(deliveryRef, now), workerIsLost(deliveryRef, now));
        }

        private long setAhead(long from, long to) {
            return clocks.stream()
                    .filter(clock -> clock.by().isPositive())
                    .filter(clock -> clock.span().ended() + NOTICED > from
                            && clock.span().begun() < to)
                    .mapToLong(clock -> clock.by().toNanos())
                    .sum();
        }

        /** At the earliest: the lease began, and was prolonged, no sooner than it was asked for. */
        private long timeIsUp(DeliveryRef deliveryRef, long now) {
            long since = deliveryRef.fetch().span().begun();
            for (Beat beat : beats.getOrDefault(deliveryRef.fetch().worker(), List.of())) {
                if (beat.answer() == Answer.OK
                        && beat.span().ended() <= now
                        && beat.extended().contains(deliveryRef.job().id()))
                    since = Math.max(since, beat.span().begun());
            }
            return since + deliveryRef.fetch().visibility().toNanos();
        }

        private long workerIsLost(DeliveryRef deliveryRef, long now) {
            List<Beat> all = beats.getOrDefault(deliveryRef.fetch().worker(), List.of());
            if (all.isEmpty()) return Long.MAX_VALUE;
            long last = all.stream()
                    .filter(beat -> beat.answer() == Answer.OK && beat.span().ended() <= now)
                    .mapToLong(beat -> beat.span().begun())
                    .max()
                    .orElseGet(() -> all.stream()
                            .mapToLong(beat -> beat.span().begun())
                            .min()
                            .orElse(0));
            return last + SILENCE;
        }

        /** What a holder sends when the job was already handed on must not be accepted. */
        void acceptedTooLate(String job, List<DeliveryRef> all, List<Violation> found) {
            for (Acked ack : acks.getOrDefault(job, List.of()))
                if (ack.answer() == Answer.OK) mustBeInTime("an ack", job, ack.lease(), ack.span(), all, found);
            for (Nacked nack : nacks.getOrDefault(job, List.of()))
                if (nack.answer() == Answer.OK) mustBeInTime("a nack", job, nack.lease(), nack.span(), all, found);
            for (Beat beat : beatsOf(job)) {
                long held = all.stream()
                        .filter(each -> each.fetch().worker().equals(beat.worker()))
                        .mapToLong(each -> each.job().lease())
                        .max()
                        .orElse(0);
                mustBeInTime("a heartbeat", job, held, beat.span(), all, found);
            }
        }

        private List<Beat> beatsOf(String job) {
            return beats.values().stream()
                    .flatMap(List::stream)
                    .filter(beat -> beat.extended().contains(job))
                    .toList();
        }

        private static void mustBeInTime(
                String what, String job, long lease, Span span, List<DeliveryRef> all, List<Violation> found) {
            all.stream()
                    .filter(later ->
                            later.job().lease() > lease && later.fetch().span().ended() < span.begun())
                    .findFirst()
                    .ifPresent(later -> found.add(new Violation(
                            job,
                            "%s of lease %d was accepted after lease %d had been handed out"
                                    .formatted(what, lease, later.job().lease()))));
        }
    }
}
