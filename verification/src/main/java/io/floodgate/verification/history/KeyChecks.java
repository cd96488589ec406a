package io.floodgate.verification.history;

import io.floodgate.verification.history.KeyLives.Life;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import io.floodgate.verification.history.Step.Keyed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold for the jobs of each unique key. */
final class KeyChecks {
    static final Check ONE_JOB_OF_A_KEY =
            new Check("at no time two jobs of a key have not ended", KeyChecks::oneJobOfAKey);

    static final Check DUPLICATES_ARE_TRUE = new Check(
            "a job is rejected, ignored or stored in place of another one only for one of its key that was there"
                    + " and had not ended",
            KeyChecks::duplicatesAreTrue);

    static final Check REPLACED_GIVE_WAY = new Check(
            "of a job and the one that takes its place never both are run, and never neither",
            KeyChecks::replacedGiveWay);

    static final Check KEYS_AT_REST = new Check(
            "when all is quiet no job of a key is under way, and no job that has ended has a key",
            KeyChecks::keysAtRest);

    private static final Set<String> ENDED = Set.of("", "completed", "cancelled", "discarded");

    private KeyChecks() {}

    /** Goes by what callers were answered: two jobs that were both there and had both not ended at some time. */
    private static void oneJobOfAKey(History history, List<Violation> found) {
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
    }

    private static void duplicatesAreTrue(History history, List<Violation> found) {
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
    }

    private static void replacedGiveWay(History history, List<Violation> found) {
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

    private static void keysAtRest(History history, List<Violation> found) {
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
    }
}
