package io.floodgate.verification.history;

import io.floodgate.verification.history.KeyLives.Life;
import io.floodgate.verification.history.Step.Keyed;
import java.util.ArrayList;
import java.util.List;

final class CheckDuplicatesAreTrue implements Check {
    @Override
    public String claim() {
        return "a job is rejected, ignored or stored in place of another one only for one of its key that was there"
                + " and had not ended";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        KeyLives lives = KeyLives.of(history);
        for (Keyed step : history.all(Keyed.class)) {
            String named = step.duplicate() == null ? step.replaced() : step.duplicate();
            // Its own id: an earlier try went through.
            if (named == null || named.equals(step.id())) continue;
            Life other = lives.find(named);
            if (other == null || !other.key.equals(step.key()))
                found.add(new Violation(
                        step.id(),
                        "its duplicate is job %s, which no client enqueued with key %s".formatted(named, step.key())));
            else if (other.possibleFrom > step.span().ended())
                found.add(new Violation(step.id(), "its duplicate is job %s, which came later".formatted(named)));
            else if (step.replaced() == null && other.certainEnd < step.span().begun())
                found.add(new Violation(step.id(), "its duplicate is job %s, which had ended before".formatted(named)));
        }
        return found;
    }
}
