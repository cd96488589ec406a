package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Cancelled;
import java.util.ArrayList;
import java.util.List;

/** An answer that a job is completed or cancelled is true for ever. */
final class CheckAnswersStand implements Check {
    @Override
    public String claim() {
        return "a job that was answered to be completed or cancelled ends so";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (Acked ack : history.all(Acked.class))
            if (ack.answer() == Answer.OK) expect("completed", ack.id(), history, found);
        for (Cancelled cancelled : history.all(Cancelled.class))
            if (cancelled.answer() == Answer.OK) expect("cancelled", cancelled.id(), history, found);
        return found;
    }

    private static void expect(String state, String job, History history, List<Violation> found) {
        FinalState end = history.finals().get(job);
        if (end != null && !end.state().equals(state))
            found.add(new Violation(job, "it was answered to be %s and is %s".formatted(state, end.state())));
    }
}
