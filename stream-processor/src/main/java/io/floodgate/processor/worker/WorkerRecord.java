package io.floodgate.processor.worker;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.WorkerCommand.Directive;
import io.floodgate.topics.json.MemberWalk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a worker in the registry.
 *
 * @param lastBeat null for one that has fetched jobs but never sent a heartbeat: it cannot fall silent
 * @param lost it has fallen silent, or left; a heartbeat brings it back
 * @param left it has said so, or it was stopping when it fell silent
 * @param logs the partitions that want to hear if it is lost
 * @param directive what an operator wants it to do
 */
record WorkerRecord(
        Instant since,
        Instant seen,
        @Nullable Instant lastBeat,
        boolean lost,
        boolean left,
        byte[] about,
        List<PartitionId> logs,
        Directive directive) {
    static final StoredForm<WorkerRecord> STORED = new StoredForm<>(WorkerRecord.class, 1, "a worker");

    WorkerRecord {
        logs = List.copyOf(logs);
    }

    static WorkerRecord at(Instant now) {
        return new WorkerRecord(now, now, null, false, false, new byte[] {'{', '}'}, List.of(), Directive.RUNNING);
    }

    WorkerRecord beating(Instant now, byte[] news) {
        // One that comes back is another worker, without a directive yet.
        Directive wanted = lost ? Directive.RUNNING : directive;
        return new WorkerRecord(lastBeat == null || lost ? now : since, now, now, false, false, news, logs, wanted);
    }

    /** The partition was out of reach, so its silence counts from here on only. */
    WorkerRecord silentSince(Instant time) {
        return new WorkerRecord(since, seen, time, lost, left, about, logs, directive);
    }

    WorkerRecord alsoIn(Instant now, PartitionId log) {
        List<PartitionId> more = new ArrayList<>(logs);
        if (!more.contains(log)) more.add(log);
        return new WorkerRecord(since, now, lastBeat, lost, left, about, more, directive);
    }

    /** Returns whether the worker stops by its own word or on request: then its silence is no surprise. */
    boolean isStopping() {
        if (directive != Directive.RUNNING) return true;
        String state = MemberWalk.text(about, "state").orElse("");
        return state.equals("quiet") || state.equals("terminate");
    }

    WorkerRecord gone(Instant now, boolean inGoodOrder) {
        return new WorkerRecord(since, now, lastBeat, true, inGoodOrder, about, List.of(), directive);
    }

    WorkerRecord directed(Directive wanted) {
        return new WorkerRecord(since, seen, lastBeat, lost, left, about, logs, wanted);
    }
}
