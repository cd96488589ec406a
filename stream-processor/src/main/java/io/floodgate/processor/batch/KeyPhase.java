package io.floodgate.processor.batch;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.processor.unique.Duplicates;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.command.UniqueMessage.KeysClaimed;
import io.floodgate.topics.job.Envelope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of the keys of a batch, at its coordinator. */
final class KeyPhase {
    static final StoredForm<KeyPhase> STORED = new StoredForm<>(KeyPhase.class, 1, "the keys of a batch");

    /** The command of the batch; once it has begun, without the jobs that are not stored. */
    Command command;

    @Nullable
    ReplyTo replyTo;

    final @Nullable Identity by;

    /** Time until which homes have to answer; one without an answer has rejected. */
    Instant until;

    /** The homes of its keys; true once their answer is there. */
    final Map<PartitionId, Boolean> homes = new TreeMap<>();

    /** Verdicts on jobs that are not stored, by their positions in the whole batch. */
    final Map<Integer, KeyVerdict> ignored = new TreeMap<>();

    /** Verdicts on jobs that replace others, by their positions in the command. */
    final List<KeyVerdict> replaced = new ArrayList<>();

    /** One of its keys was being given to another batch: it asks for them again. */
    boolean isBusy;

    /** Homes are asked one after the other, and let it wait: no two batches can wait for each other. */
    boolean isInOrder;

    /** True if the batch has its keys, and its jobs are being stored. */
    boolean begun;

    /** True if the batch is stored for certain, and waits until these jobs of other partitions are cancelled. */
    boolean decided;

    final List<KeyVerdict> cancels = new ArrayList<>();

    /** The jobs of the command as they were read, until it changes; null if they have to be read. */
    transient @Nullable List<BatchMember> members;

    KeyPhase(Command command, @Nullable ReplyTo replyTo, @Nullable Identity by, Instant until) {
        this.command = command;
        this.replyTo = replyTo;
        this.by = by;
        this.until = until;
    }

    void answer(KeysClaimed message) {
        if (homes.replace(message.home(), true) == null) return;
        message.verdicts().forEach(this::add);
    }

    void add(KeyVerdict verdict) {
        if (verdict.ignored()) ignored.put(verdict.position(), verdict);
        else replaced.add(verdict);
    }

    /** The newest first. */
    List<KeyVerdict> replacedBy(int position) {
        return replaced.stream()
                .filter(verdict -> verdict.position() == position)
                .toList();
    }

    private @Nullable KeyVerdict newestReplacedBy(int position) {
        List<KeyVerdict> all = replacedBy(position);
        return all.isEmpty() ? null : all.getFirst();
    }

    boolean isAlone() {
        return command instanceof EnqueueBatch batch && batch.jobs().size() == 1;
    }

    /**
     * Returns the claims of the jobs that are not ignored. Once the batch has begun, ignored jobs are not in the
     * command any more.
     */
    List<KeyClaim> claims(List<BatchMember> all) {
        return BatchMember.claimsOf(all, begun ? Collections.emptySortedSet() : ignored.keySet(), by);
    }

    /** The first home that has not answered: in the order of partitions. */
    PartitionId unanswered() {
        return homes.entrySet().stream()
                .filter(home -> !home.getValue())
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    boolean isComplete() {
        return homes.values().stream().allMatch(answered -> answered);
    }

    /** Returns the members that are not ignored, at the times at which they are to run. */
    List<BatchMember> stored(List<BatchMember> members) {
        List<BatchMember> stored = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            BatchMember member = members.get(i);
            KeyVerdict verdict = newestReplacedBy(i);
            Instant at = verdict == null ? null : verdict.scheduledAt();
            if (at != null) {
                Envelope then = member.envelope().scheduledAt(at);
                member = new BatchMember(member.id(), then, then.toJson(), member.claims());
            }
            if (!ignored.containsKey(i)) stored.add(member);
        }
        return stored;
    }

    /** Numbers the replaced jobs by the positions of the jobs that are stored. */
    void renumber(int size) {
        List<KeyVerdict> before = List.copyOf(replaced);
        replaced.clear();
        int position = 0;
        for (int i = 0; i < size; i++) {
            for (KeyVerdict verdict : before)
                if (verdict.position() == i)
                    replaced.add(new KeyVerdict(
                            position, false, verdict.holder(), verdict.log(), verdict.state(), verdict.scheduledAt()));
            if (!ignored.containsKey(i)) position++;
        }
    }

    /** Returns the tails with those of jobs that were not stored, and with the jobs that were replaced. */
    List<byte[]> complete(List<byte[]> tails) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < tails.size(); i++) {
            addIgnored(all);
            KeyVerdict other = newestReplacedBy(i);
            all.add(other == null ? tails.get(i) : Duplicates.tail(tails.get(i), other));
        }
        addIgnored(all);
        return all;
    }

    private void addIgnored(List<byte[]> all) {
        for (KeyVerdict next = ignored.get(all.size()); next != null; next = ignored.get(all.size()))
            all.add(Duplicates.tail(next));
    }
}
