package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

final class CheckKeysAtRest implements Check {
    private static final Set<String> ENDED = Set.of("", "completed", "cancelled", "discarded");

    @Override
    public String claim() {
        return "when all is quiet no job of a key is under way, and no job that has ended has a key";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (KeyAtRest key : history.keys()) {
            if (key.claimed())
                found.add(
                        new Violation(key.job(), "another job of key %s is said to be under way".formatted(key.key())));
            if (!key.job().isEmpty() && ENDED.contains(key.state()))
                found.add(new Violation(
                        key.job(),
                        "it has key %s, and is %s"
                                .formatted(key.key(), key.state().isEmpty() ? "gone" : key.state())));
        }
        return found;
    }
}
