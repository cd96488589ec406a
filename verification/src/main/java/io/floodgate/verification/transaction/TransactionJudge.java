package io.floodgate.verification.transaction;

import io.floodgate.verification.crash.CrashReport.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether the records of jobs are there if, and only if, their jobs are completed. */
final class TransactionJudge {
    /** Records of each job. */
    private static final int EACH = 2;

    private final Map<String, List<String>> records = new HashMap<>();
    private final Map<String, String> ends = new HashMap<>();
    private final List<String> endedTwice = new ArrayList<>();
    private final Map<String, Integer> starts = new HashMap<>();

    /** A reader of what is committed has seen a record of this job. */
    void record(String job, String token) {
        records.computeIfAbsent(job, id -> new ArrayList<>()).add(token);
    }

    /** Events of a job come in their order. */
    void event(String type, String job) {
        switch (type) {
            case "job.started" -> starts.merge(job, 1, Integer::sum);
            case "job.completed", "job.discarded", "job.cancelled" -> {
                String before = ends.put(job, type);
                if (before != null) endedTwice.add("%s: %s, then %s".formatted(job, before, type));
            }
            default -> {}
        }
    }

    long ended(String type) {
        return ends.values().stream().filter(type::equals).count();
    }

    long ranAgain() {
        return starts.values().stream().filter(runs -> runs > 1).count();
    }

    List<Claim> claims(Set<String> jobs) {
        List<String> missing = new ArrayList<>();
        List<String> twice = new ArrayList<>();
        List<String> half = new ArrayList<>();
        List<String> unwanted = new ArrayList<>();
        for (String job : jobs) {
            List<String> seen = records.getOrDefault(job, List.of());
            boolean isCompleted = "job.completed".equals(ends.get(job));
            if (isCompleted && seen.isEmpty()) missing.add(job);
            if (seen.size() > EACH) twice.add("%s: %s".formatted(job, seen));
            if ((!seen.isEmpty() && seen.size() < EACH) || new HashSet<>(seen).size() > 1)
                half.add("%s: %s".formatted(job, seen));
            if (!isCompleted && !seen.isEmpty()) unwanted.add("%s: %s".formatted(job, ends.get(job)));
        }
        List<String> open = jobs.stream().filter(job -> !ends.containsKey(job)).toList();
        return List.of(
                new Claim("every job has ended", open),
                new Claim("no job has ended twice", endedTwice),
                new Claim("every completed job has its records", missing),
                new Claim("no job has its records twice", twice),
                new Claim("the records of a job are there together, and of one run", half),
                new Claim("a job that is not completed has no records", unwanted));
    }
}
