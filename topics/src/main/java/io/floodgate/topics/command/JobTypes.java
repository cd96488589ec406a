package io.floodgate.topics.command;

import java.util.List;

/**
 * The types of jobs that a worker wants: these alone, or all but these.
 *
 * @param excluded whether it wants all but these
 */
public record JobTypes(List<String> names, boolean excluded) {
    public static final int MOST = 100;

    public static final JobTypes ALL = new JobTypes(List.of(), true);

    public JobTypes {
        names = names.stream().distinct().sorted().toList();
    }

    public static JobTypes only(List<String> names) {
        return new JobTypes(names, false);
    }

    public static JobTypes allBut(List<String> names) {
        return names.isEmpty() ? ALL : new JobTypes(names, true);
    }

    public boolean areAll() {
        return excluded && names.isEmpty();
    }

    public boolean have(String type) {
        return names.contains(type) != excluded;
    }
}
