package io.floodgate.verification.history;

import io.floodgate.verification.history.KeyLives.Life;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Goes by what callers were answered: two jobs that were both there and had both not ended at some time. */
final class CheckOneJobOfAKey implements Check {
    @Override
    public String claim() {
        return "at no time two jobs of a key have not ended";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        Map<String, Life> last = new HashMap<>();
        List<Life> lives = KeyLives.of(history).all().stream()
                .filter(Life::isCertain)
                .sorted(Comparator.comparingLong(life -> life.certainFrom))
                .toList();
        for (Life life : lives) {
            Life before = last.get(life.key);
            if (before != null && before.possibleEnd > life.certainFrom)
                found.add(new Violation(
                        life.job, "it came while job %s of key %s had not ended".formatted(before.job, life.key)));
            if (before == null || life.possibleEnd > before.possibleEnd) last.put(life.key, life);
        }
        return found;
    }
}
