package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What each record caused. An instance that executes it again, after a crash or as a zombie, must cause the same
 * replies, events and messages, byte for byte.
 */
final class History {
    /** @param rules the version by which it was executed: it stands for what would differ by another one */
    private record Effect(String print, int rules, Outcome outcome) {}

    private final Map<PartitionId, TreeMap<Integer, Effect>> effects = new TreeMap<>();
    private final boolean rulesFail;
    private final Map<PartitionId, Lives> lives = new TreeMap<>();
    private final Map<PartitionId, Integer> told = new TreeMap<>();
    private final Map<Long, String> replies = new TreeMap<>();

    void executed(PartitionId log, PartitionRecord record, Outcome outcome, int rules) {
        TreeMap<Integer, Effect> past = effects.computeIfAbsent(log, l -> new TreeMap<>());
        String print = Prints.of(outcome);
        int at = (int) record.offset();
        Effect before = past.putIfAbsent(at, new Effect(print, rules, outcome));
        if (before != null && !before.print.equals(print))
            throw new AssertionError("log %s, offset %d, '%s' was carried out twice, differently: %s"
                    .formatted(log, at, record.op(), Prints.difference(before.print, print)));
        if (before != null && before.rules != rules)
            throw new AssertionError("log %s, offset %d, '%s' was carried out by version %d of the rules, and by %d"
                    .formatted(log, at, record.op(), before.rules, rules));
    }

    History(boolean rulesFail) {
        this.rulesFail = rulesFail;
    }

    /** A record that was executed before causes nothing. */
    void skipped(PartitionId log, PartitionRecord record, Outcome outcome) {
        if (!Prints.of(outcome).equals(Prints.of(new Outcome())))
            throw new AssertionError("log %s, offset %d was carried out before, and again: %s"
                    .formatted(log, record.offset(), Prints.of(outcome)));
    }

    /** Replies leave before the commit: a repeated reply is the same. */
    void replied(Answer answer) {
        String text = answer.reply().getClass().getSimpleName()
                + new String(answer.reply().toBytes(), StandardCharsets.UTF_8);
        String before = replies.putIfAbsent(answer.to().correlation(), text);
        if (before != null && !before.equals(text))
            throw new AssertionError("two answers to %s: %s".formatted(answer.to(), Prints.difference(before, text)));
    }

    /** Events leave with the commit. */
    void committed(PartitionId log, int position) {
        Lives own = livesOf(log);
        int from = told.getOrDefault(log, 0);
        if (position <= from) return;
        for (Effect effect : past(log).subMap(from, position).values())
            effect.outcome.events().forEach(event -> own.see(event.envelope()));
        told.put(log, position);
    }

    Lives livesOf(PartitionId log) {
        return lives.computeIfAbsent(log, l -> new Lives(rulesFail));
    }

    /** The answers to each question, by its number: one, when all is well. */
    Map<Long, List<Reply>> answers() {
        Map<Long, List<Reply>> answers = new TreeMap<>();
        for (TreeMap<Integer, Effect> past : effects.values())
            for (Effect effect : past.values())
                for (Answer answer : effect.outcome.answers())
                    answers.computeIfAbsent(answer.to().correlation(), n -> new ArrayList<>())
                            .add(answer.reply());
        return answers;
    }

    List<Outcome> outcomes(PartitionId log) {
        return past(log).values().stream().map(Effect::outcome).toList();
    }

    /** What the record at this offset caused; null if no instance has executed it. */
    @Nullable
    Outcome outcome(PartitionId log, int offset) {
        Effect effect = past(log).get(offset);
        return effect == null ? null : effect.outcome;
    }

    List<String> prints(PartitionId log) {
        return past(log).values().stream().map(Effect::print).toList();
    }

    /** Up to this offset, instances have executed records. */
    int carriedOut(PartitionId log) {
        NavigableMap<Integer, Effect> past = past(log);
        return past.isEmpty() ? 0 : past.lastKey() + 1;
    }

    private NavigableMap<Integer, Effect> past(PartitionId log) {
        return effects.getOrDefault(log, new TreeMap<>());
    }
}
