package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Enqueued;
import java.util.ArrayList;
import java.util.List;

final class CheckNothingLost implements Check {
    @Override
    public String claim() {
        return "no answered enqueue is lost";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (Enqueued enqueued : history.all(Enqueued.class)) {
            if (enqueued.answer() != Answer.OK) continue;
            String id = enqueued.id();
            FinalState end = id == null ? null : history.finals().get(id);
            if (id == null) found.add(new Violation(enqueued.token(), "its enqueue was answered without an id"));
            else if (end == null) found.add(new Violation(id, "it was enqueued, and it was not checked how it ended"));
            else if (end.isGone()) found.add(new Violation(id, "its enqueue was answered, and it is gone"));
        }
        return found;
    }
}
