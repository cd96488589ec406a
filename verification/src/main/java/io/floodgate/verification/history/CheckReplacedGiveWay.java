package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import io.floodgate.verification.history.Step.Keyed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class CheckReplacedGiveWay implements Check {
    @Override
    public String claim() {
        return "of a job and the one that takes its place never both are run, and never neither";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        Map<String, Keyed> replaced = new HashMap<>();
        for (Keyed step : history.all(Keyed.class)) {
            String job = step.replaced();
            if (job != null && step.answer() == Answer.OK) replaced.putIfAbsent(job, step);
        }
        for (Fetched fetch : history.all(Fetched.class))
            for (Handed job : fetch.jobs()) {
                Keyed by = replaced.get(job.id());
                if (by != null && fetch.span().begun() > by.span().ended())
                    found.add(new Violation(
                            job.id(), "it was handed out after job %s had taken its place".formatted(by.id())));
            }
        Set<String> taken = new HashSet<>();
        for (Cancelled step : history.all(Cancelled.class)) if (step.answer().mayHaveHappened()) taken.add(step.id());
        for (KeyLives.Life life : KeyLives.of(history).all()) {
            FinalState end = history.finals().get(life.job);
            if (end != null
                    && end.state().equals("cancelled")
                    && !taken.contains(life.job)
                    && !hasSuccessor(life, history))
                found.add(new Violation(
                        life.job, "it is cancelled, and no job is there that could have taken its place"));
        }
        return found;
    }

    private static boolean hasSuccessor(KeyLives.Life life, History history) {
        for (Keyed step : history.all(Keyed.class)) {
            boolean mayBeIt =
                    step.replaces() && step.key().equals(life.key) && !step.id().equals(life.job);
            if (mayBeIt
                    && step.answer().mayHaveHappened()
                    && isThere(history.finals().get(step.id()))) return true;
        }
        return false;
    }

    private static boolean isThere(@Nullable FinalState end) {
        return end != null && !end.isGone();
    }
}
