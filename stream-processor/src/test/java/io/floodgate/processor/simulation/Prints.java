package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Outcomes and stores as text, byte for byte: equal prints, equal effects. */
final class Prints {
    private Prints() {}

    static String of(Outcome outcome) {
        StringBuilder text = new StringBuilder();
        outcome.answers()
                .forEach(answer -> text.append("answer ")
                        .append(answer.to())
                        .append(' ')
                        .append(answer.reply().getClass().getSimpleName())
                        .append(' ')
                        .append(utf8(answer.reply().toBytes()))
                        .append('\n'));
        outcome.events()
                .forEach(event -> text.append("event ")
                        .append(event.key())
                        .append(' ')
                        .append(utf8(event.envelope()))
                        .append('\n'));
        outcome.outgoing()
                .forEach(message -> text.append("message %s %d %s %s %s "
                                .formatted(
                                        message.to(),
                                        message.sequence(),
                                        message.key(),
                                        message.op(),
                                        message.replyTo()))
                        .append(utf8(message.value()))
                        .append('\n'));
        return text.append("changed ").append(outcome.changedQueues()).toString();
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Everything but the outbox: what is deleted from it, and when, is up to the network, and no rule looks. */
    static Map<String, String> of(Stores stores) {
        Map<String, String> print = new TreeMap<>();
        add(print, "payloads ", stores.payloads());
        add(print, "jobs ", stores.jobs());
        add(print, "entities ", stores.entities());
        return print;
    }

    private static void add(Map<String, String> print, String store, Object keyValues) {
        ((MemoryKeyValues) keyValues).entries().forEach((key, value) -> {
            if (Kind.of(key) != Kind.OUTBOX)
                print.put(
                        store + Kind.of(key) + " " + HexFormat.of().formatHex(key),
                        HexFormat.of().formatHex(value));
        });
    }

    /** The first line in which two prints differ. */
    static String difference(String expected, String actual) {
        String[] a = expected.split("\n", -1);
        String[] b = actual.split("\n", -1);
        for (int i = 0; i < Math.max(a.length, b.length); i++) {
            String left = i < a.length ? a[i] : "(nothing)";
            String right = i < b.length ? b[i] : "(nothing)";
            if (!left.equals(right)) return "%n  first  %s%n  then   %s".formatted(left, right);
        }
        return "(none)";
    }

    static String difference(Map<String, String> expected, Map<String, String> actual) {
        StringBuilder text = new StringBuilder();
        Map<String, String> all = new TreeMap<>(expected);
        all.putAll(actual);
        for (String key : all.keySet()) {
            String left = expected.getOrDefault(key, "(nothing)");
            String right = actual.getOrDefault(key, "(nothing)");
            if (!left.equals(right)) text.append("%n  %s: %s / %s".formatted(key, left, right));
        }
        return text.toString();
    }
}
