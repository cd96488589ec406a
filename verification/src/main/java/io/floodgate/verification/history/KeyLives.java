package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Keyed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From when to when jobs with keys have not ended, as far as callers can tell. */
final class KeyLives {
    /** One job. Times are those of {@link Span}. */
    static final class Life {
        final String job;
        final String key;
        /** It cannot have been there before. */
        long possibleFrom = Long.MAX_VALUE;
        /** From here on it was there, until it ended. */
        long certainFrom = Long.MAX_VALUE;
        /** Before this it cannot have ended. */
        long possibleEnd = Long.MAX_VALUE;
        /** From here on it has ended. */
        long certainEnd = Long.MAX_VALUE;

        Life(String job, String key) {
            this.job = job;
            this.key = key;
        }

        boolean isCertain() {
            return certainFrom < possibleEnd;
        }

        private void mayHaveEnded(Span span, Answer answer) {
            if (answer.mayHaveHappened()) possibleEnd = Math.min(possibleEnd, span.begun());
            if (answer == Answer.OK) certainEnd = Math.min(certainEnd, span.ended());
        }
    }

    private final Map<String, Life> lives = new LinkedHashMap<>();

    private KeyLives() {}

    static KeyLives of(History history) {
        KeyLives found = new KeyLives();
        List<Keyed> keyed = history.all(Keyed.class);
        for (Keyed step : keyed) found.enqueued(step);
        for (Keyed step : keyed) found.replaced(step);
        for (Acked step : history.all(Acked.class)) found.ended(step.id(), step.span(), step.answer());
        for (Cancelled step : history.all(Cancelled.class)) found.ended(step.id(), step.span(), step.answer());
        return found;
    }

    private void enqueued(Keyed step) {
        if (!step.answer().mayHaveHappened()) return;
        Life life = lives.computeIfAbsent(step.id(), id -> new Life(id, step.key()));
        life.possibleFrom = Math.min(life.possibleFrom, step.span().begun());
        if (step.answer() == Answer.OK)
            life.certainFrom = Math.min(life.certainFrom, step.span().ended());
    }

    private void replaced(Keyed step) {
        if (!step.replaces() || !step.answer().mayHaveHappened()) return;
        String replaced = step.replaced();
        if (step.answer() == Answer.OK) {
            Life life = replaced == null ? null : lives.get(replaced);
            if (life != null) life.mayHaveEnded(step.span(), Answer.OK);
            return;
        }
        for (Life life : lives.values())
            if (life.key.equals(step.key()) && !life.job.equals(step.id()))
                life.mayHaveEnded(step.span(), step.answer());
    }

    private void ended(String job, Span span, Answer answer) {
        Life life = lives.get(job);
        if (life != null) life.mayHaveEnded(span, answer);
    }

    @Nullable
    Life find(String job) {
        return lives.get(job);
    }

    List<Life> all() {
        return List.copyOf(lives.values());
    }
}
