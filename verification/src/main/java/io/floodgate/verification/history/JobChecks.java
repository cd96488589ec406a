package io.floodgate.verification.history;

import io.floodgate.verification.history.History.DeliveryRef;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What must hold for each job, by answers and by how it ended. */
final class JobChecks {
    static final Check NOTHING_LOST = new Check("no answered enqueue is lost", JobChecks::nothingLost);

    static final Check NOTHING_STRANDED =
            new Check("no job is still leased by a worker that has none", JobChecks::nothingStranded);

    static final Check BATCHES_ARE_WHOLE =
            new Check("a batch is stored whole or not at all", JobChecks::batchesAreWhole);

    static final Check ENDED_STAYS_ENDED =
            new Check("no completed or cancelled job is handed out again", JobChecks::endedStaysEnded);

    static final Check ANSWERS_STAND =
            new Check("a job that was answered to be completed or cancelled ends so", JobChecks::answersStand);

    static final Check NOTHING_UNINVITED = new Check(
            "nothing appears that no client enqueued, nothing that was rejected, and nothing twice",
            JobChecks::nothingUninvited);

    private JobChecks() {}

    private static void nothingLost(History history, List<Violation> found) {
        for (Enqueued enqueued : history.all(Enqueued.class)) {
            if (enqueued.answer() != Answer.OK) continue;
            String id = enqueued.id();
            FinalState end = id == null ? null : history.finals().get(id);
            if (id == null) found.add(new Violation(enqueued.token(), "its enqueue was answered without an id"));
            else if (end == null) found.add(new Violation(id, "it was enqueued, and it was not checked how it ended"));
            else if (end.isGone()) found.add(new Violation(id, "its enqueue was answered, and it is gone"));
        }
    }

    /** Workers have looked for longer than a lost one takes to be noticed: nothing is left to be lost. */
    private static void nothingStranded(History history, List<Violation> found) {
        for (FinalState end : history.finals().values())
            if (end.state().equals("active"))
                found.add(new Violation(end.job(), "it is active, and all workers are idle"));
    }

    /** Looks at batches whose ids are known, which those of the producers' own always are. */
    private static void batchesAreWhole(History history, List<Violation> found) {
        Map<String, FinalState> firsts = new TreeMap<>();
        for (Enqueued enqueued : history.all(Enqueued.class)) {
            if (enqueued.batch() == null || enqueued.id() == null) continue;
            FinalState end = history.finals().get(enqueued.id());
            if (end == null) continue;
            FinalState first = firsts.putIfAbsent(enqueued.batch(), end);
            if (first != null && first.isGone() != end.isGone())
                found.add(new Violation(
                        end.job(),
                        "it is %s, and %s of the same batch is %s".formatted(end.state(), first.job(), first.state())));
        }
    }

    private static void endedStaysEnded(History history, List<Violation> found) {
        Map<String, List<DeliveryRef>> deliveryRefs = history.deliveryRefs();
        for (Acked ack : history.all(Acked.class)) {
            if (ack.answer() != Answer.OK) continue;
            for (DeliveryRef deliveryRef : deliveryRefs.getOrDefault(ack.id(), List.of())) {
                // A later lease cannot have begun before the ack either: the ack would have been rejected.
                if (deliveryRef.job().lease() > ack.lease()
                        || deliveryRef.fetch().span().begun() > ack.span().ended())
                    found.add(new Violation(
                            ack.id(),
                            "it was completed under lease %d and handed out under lease %d"
                                    .formatted(ack.lease(), deliveryRef.job().lease())));
            }
        }
        for (Cancelled cancelled : history.all(Cancelled.class)) {
            if (cancelled.answer() != Answer.OK) continue;
            for (DeliveryRef deliveryRef : deliveryRefs.getOrDefault(cancelled.id(), List.of()))
                if (deliveryRef.fetch().span().begun() > cancelled.span().ended())
                    found.add(new Violation(
                            cancelled.id(),
                            "it was cancelled and then handed out under lease %d"
                                    .formatted(deliveryRef.job().lease())));
        }
    }

    /** An answer that a job is completed or cancelled is true for ever. */
    private static void answersStand(History history, List<Violation> found) {
        for (Acked ack : history.all(Acked.class))
            if (ack.answer() == Answer.OK) endsAs("completed", ack.id(), history, found);
        for (Cancelled cancelled : history.all(Cancelled.class))
            if (cancelled.answer() == Answer.OK) endsAs("cancelled", cancelled.id(), history, found);
    }

    private static void endsAs(String state, String job, History history, List<Violation> found) {
        FinalState end = history.finals().get(job);
        if (end != null && !end.state().equals(state))
            found.add(new Violation(job, "it was answered to be %s and is %s".formatted(state, end.state())));
    }

    private static void nothingUninvited(History history, List<Violation> found) {
        Invitations invited = new Invitations(history.all(Enqueued.class));
        Map<String, String> idOfToken = new HashMap<>();
        for (Fetched fetch : history.all(Fetched.class)) {
            for (Handed job : fetch.jobs()) {
                if (!invited.tokens.contains(job.token()))
                    found.add(new Violation(
                            job.id(), "it was handed out, and no client enqueued its token " + job.token()));
                mustBeOnlyOne(job.token(), job.id(), idOfToken, found);
                invited.ids.add(job.id());
            }
        }
        Set<String> tokensHandedOut = new HashSet<>(idOfToken.keySet());
        for (FinalState end : history.finals().values()) {
            if (end.isGone() || invited.ids.contains(end.job())) continue;
            // Neither its enqueue was answered, nor a fetch that took it: its id is known from events only.
            if (end.token() == null || !invited.tokensWithoutId.contains(end.token()))
                found.add(new Violation(end.job(), "it is there, and its enqueue was rejected"));
            else mustBeOnlyOne(end.token(), end.job(), idOfToken, found);
        }
        found.addAll(unexplained(history, invited, tokensHandedOut));
    }

    private static void mustBeOnlyOne(String token, String job, Map<String, String> idOfToken, List<Violation> found) {
        String other = idOfToken.putIfAbsent(token, job);
        if (other != null && !other.equals(job))
            found.add(new Violation(job, "it was enqueued once, and is there as %s too".formatted(other)));
    }

    /** Jobs that only events know must be those whose enqueues got no answer, and not more of them. */
    private static List<Violation> unexplained(History history, Invitations invited, Set<String> tokensSeen) {
        Set<String> strangers = new HashSet<>(history.eventsByJob().keySet());
        strangers.removeAll(invited.ids);
        Set<String> unanswered = new HashSet<>(invited.tokensWithoutId);
        unanswered.removeAll(tokensSeen);
        if (strangers.size() <= unanswered.size()) return List.of();
        String what = "one of %d jobs that have events, while only %d enqueues are without an answer"
                .formatted(strangers.size(), unanswered.size());
        return List.of(new Violation(strangers.iterator().next(), what));
    }

    private static final class Invitations {
        private final Set<String> tokens = new HashSet<>();
        private final Set<String> ids = new HashSet<>();
        private final Set<String> tokensWithoutId = new HashSet<>();

        Invitations(List<Enqueued> all) {
            for (Enqueued enqueued : all) {
                if (!enqueued.answer().mayHaveHappened()) continue;
                tokens.add(enqueued.token());
                String id = enqueued.id();
                if (id == null) tokensWithoutId.add(enqueued.token());
                else ids.add(id);
            }
        }
    }
}
