package io.floodgate.verification.history;

import java.util.List;

/** When workers have looked for longer than a lost one takes to be noticed, and found nothing, nothing is left to be lost. */
final class CheckNothingStranded implements Check {
    @Override
    public String claim() {
        return "no job is still leased by a worker that has none";
    }

    @Override
    public List<Violation> violations(History history) {
        return history.finals().values().stream()
                .filter(end -> end.state().equals("active"))
                .map(end -> new Violation(end.job(), "it is active, and all workers are idle"))
                .toList();
    }
}
