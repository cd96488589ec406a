package io.floodgate.processor.workflow;

import java.util.List;
import java.util.Random;

/** Any workflow of up to three levels. */
final class RandomWorkflow {
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
        for (int i = 0; i < size; i++) {
            StringBuilder needs = new StringBuilder();
            for (int j = 0; j < i; j++)
                if (random.nextInt(3) == 0)
                    needs.append(needs.isEmpty() ? "" : ",").append("'s" + j + "'");
            String more = ",'id':'s%d','depends_on':[%s]".formatted(i, needs);
            if (!needs.isEmpty() && random.nextInt(3) == 0)
                more += ",'run_if':'%s'".formatted(random.nextBoolean() ? "all_done" : "any_failed");
            if (random.nextInt(5) == 0) more += ",'allow_failure':true";
            steps.append(i == 0 ? "" : ",").append(step(level, more));
        }
        return steps.toString();
    }

    private String step(int level, String more) {
        return level < 3 && random.nextInt(4) == 0 ? inside(level + 1, more) : job(more);
    }

    private String job(String more) {
        return "{'type':'t.x','args':[],'queue':'%s','max_attempts':1%s}"
                .formatted(QUEUES.get(random.nextInt(QUEUES.size())), more);
    }

    private String callbacks() {
        int which = 1 + random.nextInt(7);
        StringBuilder callbacks = new StringBuilder();
        List<String> names = List.of("on_complete", "on_success", "on_failure");
        for (int i = 0; i < names.size(); i++)
            if ((which >> i & 1) != 0)
                callbacks.append(callbacks.isEmpty() ? "" : ",").append("'%s':%s".formatted(names.get(i), job("")));
        return callbacks.toString();
    }
}
