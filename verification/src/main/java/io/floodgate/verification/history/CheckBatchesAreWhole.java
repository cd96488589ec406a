package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Enqueued;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Looks at batches whose ids are known, which those of the producers' own always are. */
final class CheckBatchesAreWhole implements Check {
    @Override
    public String claim() {
        return "a batch is stored whole or not at all";
    }

    @Override
    public List<Violation> violations(History history) {
        Map<String, FinalState> firsts = new TreeMap<>();
        List<Violation> found = new ArrayList<>();
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
        return found;
    }
}
