package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.log.LogRecord;
import io.floodgate.processor.log.Outcome;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each record caused. Whoever carries it out again, after a crash or as a zombie, must cause the same: the same
 * replies, events and messages, byte for byte.
 */
final class History {
    private record Effect(String print, Outcome outcome) {}

    private final Map<LogId, List<Effect>> effects = new TreeMap<>();
    private final Map<LogId, Lives> lives = new TreeMap<>();
    private final Map<LogId, Integer> told = new TreeMap<>();
    private final Map<Long, String> replies = new TreeMap<>();

    void executed(LogId log, LogRecord record, Outcome outcome) {
        List<Effect> past = effects.computeIfAbsent(log, l -> new ArrayList<>());
        String print = Prints.of(outcome);
        int at = (int) record.offset();
        if (at == past.size()) past.add(new Effect(print, outcome));
        else if (!past.get(at).print.equals(print))
            throw new AssertionError("log %s, offset %d, '%s' was carried out twice, differently: %s"
                    .formatted(log, at, record.op(), Prints.difference(past.get(at).print, print)));
    }

    /** Replies leave before the commit: whoever sends one again sends the same. */
    void replied(Answer answer) {
        String text = answer.reply().getClass().getSimpleName()
                + new String(answer.reply().toBytes(), StandardCharsets.UTF_8);
        String before = replies.putIfAbsent(answer.to().correlation(), text);
        if (before != null && !before.equals(text))
            throw new AssertionError("two answers to %s: %s".formatted(answer.to(), Prints.difference(before, text)));
    }

    /** Events leave with the commit. */
    void committed(LogId log, int position) {
        Lives own = livesOf(log);
        List<Effect> past = effects.getOrDefault(log, List.of());
        for (int at = told.getOrDefault(log, 0); at < position; at++)
            past.get(at).outcome.events().forEach(event -> own.see(event.envelope()));
        told.put(log, position);
    }

    Lives livesOf(LogId log) {
        return lives.computeIfAbsent(log, l -> new Lives());
    }

    /** The answers to each question, by its number: one, when all is well. */
    Map<Long, List<Reply>> answers() {
        Map<Long, List<Reply>> answers = new TreeMap<>();
        for (List<Effect> past : effects.values())
            for (Effect effect : past)
                for (Answer answer : effect.outcome.answers())
                    answers.computeIfAbsent(answer.to().correlation(), n -> new ArrayList<>())
                            .add(answer.reply());
        return answers;
    }

    List<Outcome> outcomes(LogId log) {
        return effects.getOrDefault(log, List.of()).stream()
                .map(Effect::outcome)
                .toList();
    }

    List<String> prints(LogId log) {
        return effects.getOrDefault(log, List.of()).stream().map(Effect::print).toList();
    }
}
