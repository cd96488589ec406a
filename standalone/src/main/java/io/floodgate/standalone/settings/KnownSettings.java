package io.floodgate.standalone.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The settings that there are. A file may be meant for all roles: what any of them understands is known. */
public final class KnownSettings {
    /** A slip of the pen is about so far from what was meant. */
    private static final int NEAR = 3;

    private final Set<String> names = new TreeSet<>();
    private final Set<String> prefixes = new TreeSet<>();

    public KnownSettings(CommandLine floodgate) {
        for (CommandLine role : floodgate.getSubcommands().values()) {
            if (!hasSettings(role)) continue;
            for (OptionSpec option : role.getCommandSpec().options()) {
                String name = SettingName.ofFlag(option.longestName()).property();
                if (option.usageHelp()) continue;
                if (option.typeInfo().isMap()) prefixes.add(name + ".");
                else names.add(name);
            }
        }
    }

    public static boolean hasSettings(CommandLine command) {
        return !(command.getCommandSpec().userObject() instanceof NoSettings);
    }

    /** Returns what is wrong with a file, as a sentence; nothing if all is known. */
    public Optional<String> complaint(Map<String, String> file) {
        List<String> unknown = file.keySet().stream()
                .filter(key -> !names.contains(key) && prefixes.stream().noneMatch(key::startsWith))
                .sorted()
                .toList();
        if (unknown.isEmpty()) return Optional.empty();
        String first = unknown.getFirst();
        String meant = nearest(first)
                .map(name -> "; did you mean %s?".formatted(name))
                .orElse("; ./floodgate settings lists what there is");
        return Optional.of("the settings file has %s, which is no setting%s".formatted(first, meant));
    }

    private Optional<String> nearest(String unknown) {
        return names.stream()
                .filter(name -> distance(name, unknown) <= NEAR)
                .min(Comparator.comparingInt(name -> distance(name, unknown)));
    }

    /** Returns how many letters to add, drop or change (Levenshtein). */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
