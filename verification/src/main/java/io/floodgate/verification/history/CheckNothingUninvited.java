package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class CheckNothingUninvited {
    static final Check CHECK = new Check(
            "nothing appears that no client enqueued, nothing that was rejected, and nothing twice",
            CheckNothingUninvited::find);

    private CheckNothingUninvited() {}

    private static void find(History history, List<Violation> found) {
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
