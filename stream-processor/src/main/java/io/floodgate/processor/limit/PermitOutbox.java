package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.command.Message.PermitUse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a step about permits. Each other partition gets one message: a fetch of many jobs asks for many keys,
 * and each message costs a record, an entry in the outbox and a step. Permits for this partition are taken in the same
 * step.
 */
public final class PermitOutbox {
    /** The most keys, or dates of unused permits, in one message; the rest follows in another one. */
    private static final int MOST_PARTS = 100;

    private static final int MOST_DATES = 10_000;

    private static final class Draft {
        /** The account: what is said of it later goes before. */
        private final Map<String, AskPermits> asks = new LinkedHashMap<>();

        private final List<GivePermits> gives = new ArrayList<>();
        private int dates;

        private boolean isFull() {
            return asks.size() + gives.size() >= MOST_PARTS || dates >= MOST_DATES;
        }

        private PermitMessage message() {
            return new PermitMessage(List.copyOf(asks.values()), gives);
        }

        private String key() {
            return asks.isEmpty()
                    ? gives.getFirst().key()
                    : asks.values().iterator().next().key();
        }
    }

    private final Effects out;
    private final Map<PartitionId, Draft> drafts = new TreeMap<>();
    /** Permits for jobs of this partition. */
    private final Deque<GivePermits> here = new ArrayDeque<>();

    PermitOutbox(Effects out) {
        this.out = out;
    }

    public void add(PartitionId to, AskPermits ask) {
        Draft draft = draft(to);
        draft.asks.merge(ask.key() + ' ' + ask.epoch(), ask, PermitOutbox::together);
        draft.dates += ask.unused().size() + ask.used().size();
        if (draft.isFull()) send(to);
    }

    void add(PartitionId to, GivePermits give) {
        if (to.equals(out.log())) {
            here.add(give);
            return;
        }
        Draft draft = draft(to);
        draft.gives.add(give);
        if (draft.isFull()) send(to);
    }

    private Draft draft(PartitionId to) {
        return drafts.computeIfAbsent(to, log -> new Draft());
    }

    /** The figures are totals; only what was used, and what goes back unused, is said once. */
    private static AskPermits together(AskPermits before, AskPermits ask) {
        if (before.unused().isEmpty() && before.used().isEmpty()) return ask;
        List<Long> unused = new ArrayList<>(before.unused());
        unused.addAll(ask.unused());
        List<PermitUse> used = new ArrayList<>(before.used());
        used.addAll(ask.used());
        return ask.with(unused, used);
    }

    /** Sends the messages at the end of the step. */
    void send() {
        while (!drafts.isEmpty()) send(drafts.keySet().iterator().next());
    }

    private void send(PartitionId to) {
        Draft draft = drafts.remove(to);
        if (draft != null) out.tell(to, "limit:" + draft.key(), draft.message());
    }

    /** Returns the next permits for jobs of this partition, in order; null if all are taken. */
    public @Nullable GivePermits takeHere() {
        return here.poll();
    }

    void forget() {
        here.clear();
        drafts.clear();
    }
}
