package io.floodgate.processor.unique;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.UniqueMessage.ClaimKeys;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A claim of keys at their home, until its batch is settled. */
final class StoredClaim {
    static final StoredForm<StoredClaim> STORED = new StoredForm<>(StoredClaim.class, 1, "a claim of keys");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final int MOST_DOUBLINGS = 6;

    final ClaimKeys message;

    /** The identity under which the jobs come in. */
    final @Nullable Identity by;

    /** Position among all claims of this home. */
    final long place;

    /** Time at which the coordinator is asked for the outcome of the batch. */
    Instant askAt;

    /** True if the claim has its keys. */
    boolean granted;

    int asked;

    /** True while the claim waits for the batch of a job that it replaces. */
    boolean pauses;

    private int pauseNumber;

    /** True once the claim has been saved. */
    transient boolean stored;

    /** Jobs whose states were asked for, and the answers. */
    final Set<JobId> questions = new TreeSet<>();

    final Map<JobId, HolderSaid> answers = new TreeMap<>();

    StoredClaim(ClaimKeys message, @Nullable Identity by, long place, Instant askAt) {
        this.message = message;
        this.by = by;
        this.place = place;
        this.askAt = askAt;
    }

    String name() {
        return message.coordinator() + "#" + message.batch();
    }

    /** The next one; longer each time. */
    Duration pause() {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(pauseNumber++, MOST_DOUBLINGS));
    }

    boolean isComplete() {
        return answers.keySet().containsAll(questions);
    }

    @Nullable
    Holder answer(JobId job) {
        HolderSaid said = answers.get(job);
        return said == null ? null : said.holder();
    }

    /** Forgets the answers, since they may not be true any more. */
    void forgetAnswers() {
        pauses = false;
        questions.clear();
        answers.clear();
    }

    static StoredClaim read(byte[] stored) {
        StoredClaim claim = STORED.read(stored);
        claim.stored = true;
        return claim;
    }
}
