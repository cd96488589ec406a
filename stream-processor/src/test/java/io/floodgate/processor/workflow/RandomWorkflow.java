package io.floodgate.processor.workflow;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Any workflow of up to three levels. */
final class RandomWorkflow {
    static final List<String> SIGNALS = List.of("k0", "k1", "k2", "k3", "k4", "k5");

    private static final List<String> QUEUES = List.of("a", "b", "c", "d");

    private final Random random;

    RandomWorkflow(Random random) {
        this.random = random;
    }

    String body() {
        String more = random.nextInt(4) == 0 ? ",'on_failure':'fail_fast'" : "";
        if (random.nextInt(3) == 0) more += ",'timeout':'PT%dS'".formatted(5 + random.nextInt(55));
        return inside(1, more);
    }

    private String inside(int level, String more) {
        return switch (random.nextInt(4)) {
            case 0 -> "{'type':'chain'%s,'steps':[%s]}".formatted(more, list(level));
            case 1 -> "{'type':'group'%s,'jobs':[%s]}".formatted(more, list(level));
            case 2 -> "{'type':'batch'%s,'jobs':[%s],'callbacks':{%s}}".formatted(more, list(level), callbacks());
            default -> {
                String callbacks = random.nextInt(4) == 0 ? ",'callbacks':{%s}".formatted(callbacks()) : "";
                yield "{'type':'dag'%s,'steps':[%s]%s}".formatted(more, graph(level), callbacks);
            }
        };
    }

    private String list(int level) {
        StringBuilder steps = new StringBuilder();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) steps.append(i == 0 ? "" : ",").append(step(level, ""));
        return steps.toString();
    }

    private String graph(int level) {
        StringBuilder steps = new StringBuilder();
        int size = 1 + random.nextInt(6);
        Set<Integer> leaves = new TreeSet<>();
        for (int i = 0; i < size; i++) {
            StringBuilder needs = new StringBuilder();
            int about = -1;
            for (int j = 0; j < i; j++)
                if (random.nextInt(3) == 0) {
                    needs.append(needs.isEmpty() ? "" : ",").append("'s" + j + "'");
                    if (leaves.contains(j)) about = j;
                }
            String more = ",'id':'s%d','depends_on':[%s]".formatted(i, needs);
            if (about >= 0 && random.nextInt(4) == 0)
                more += ",'run_if':{'step':'s%d','ended':'%s'}"
                        .formatted(
                                about, List.of("completed", "failed", "skipped").get(random.nextInt(3)));
            else if (!needs.isEmpty() && random.nextInt(3) == 0)
                more += ",'run_if':'%s'".formatted(random.nextBoolean() ? "all_done" : "any_failed");
            if (random.nextInt(5) == 0) more += ",'allow_failure':true";
            String step = step(level, more);
            if (!step.contains("'jobs'") && !step.contains("'steps'")) leaves.add(i);
            steps.append(i == 0 ? "" : ",").append(step);
        }
        return steps.toString();
    }

    /** Steps that come to a graph with these steps; at least one has a job. */
    String added(List<String> known, int number) {
        StringBuilder steps = new StringBuilder();
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            StringBuilder needs = new StringBuilder();
            for (int j = 0; j < 2; j++) {
                int which = random.nextInt(known.size() + i);
                String id = which < known.size() ? known.get(which) : "n%d-%d".formatted(number, which - known.size());
                if (random.nextBoolean() && !needs.toString().contains("'" + id + "'"))
                    needs.append(needs.isEmpty() ? "" : ",").append("'" + id + "'");
            }
            String more = ",'id':'n%d-%d','depends_on':[%s]".formatted(number, i, needs);
            if (!needs.isEmpty() && random.nextInt(3) == 0)
                more += ",'run_if':'%s'".formatted(random.nextBoolean() ? "all_done" : "any_failed");
            if (random.nextInt(5) == 0) more += ",'allow_failure':true";
            steps.append(i == 0 ? "" : ",").append(i > 0 && random.nextInt(6) == 0 ? waits(more) : job(more));
        }
        return steps.toString();
    }

    /** Times that end together with nothing else. */
    private String waits(String more) {
        String timeout = random.nextBoolean() ? "" : ",'timeout_ms':%d".formatted(3_003 + random.nextInt(55_000));
        return "{'wait_for':{'event':'e','key':'%s'%s}%s}"
                .formatted(SIGNALS.get(random.nextInt(SIGNALS.size())), timeout, more);
    }

    private String step(int level, String more) {
        if (level < 3 && random.nextInt(4) == 0) return inside(level + 1, more);
        return random.nextInt(8) == 0 ? waits(more) : job(more);
    }

    private String job(String more) {
        return "{'type':'t.x','args':[],'queue':'%s','max_attempts':1%s}"
                .formatted(QUEUES.get(random.nextInt(QUEUES.size())), more);
    }

    private String callbacks() {
        int which = 1 + random.nextInt(15);
        StringBuilder callbacks = new StringBuilder();
        List<String> names = List.of("on_complete", "on_success", "on_failure", "on_first_failure");
        for (int i = 0; i < names.size(); i++)
            if ((which >> i & 1) != 0)
                callbacks.append(callbacks.isEmpty() ? "" : ",").append("'%s':%s".formatted(names.get(i), job("")));
        return callbacks.toString();
    }
}
