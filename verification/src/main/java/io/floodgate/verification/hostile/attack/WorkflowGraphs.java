package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RawConnection;
import io.floodgate.verification.hostile.Swarm;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A graph can have as many dependencies as the square of its steps, and each look at it shows them. */
public final class WorkflowGraphs implements LoneAttack {
    private static final int WORKFLOWS = 4;
    private static final int HALF = 316;
    private static final int READERS = 8;

    @Override
    public String name() {
        return "workflow-graphs";
    }

    @Override
    public String what() {
        return "8 connections that ask for the layout of workflows of 632 steps and 99,856 dependencies";
    }

    @Override
    public void run(Target target) throws Exception {
        List<String> made = new ArrayList<>();
        byte[] workflow = workflow(target.queue("graphs"));
        try (Caller caller = target.caller()) {
            for (int i = 0; i < WORKFLOWS; i++) {
                Heard heard = caller.post("/ojs/v1/workflows", workflow);
                target.complainUnless(heard.isOk(), "a workflow was answered " + heard.shown());
                made.add(heard.body().at("/workflow/id").asString());
            }
        }
        target.endPhase("creation");
        long end = System.nanoTime() + target.scaled(40, 5) * 1_000_000_000L;
        Swarm.run(READERS, number -> {
            String get = RawConnection.get("/ojs/v1/workflows/%s?layout=true".formatted(made.get(number % WORKFLOWS)));
            try (RawConnection connection = RawConnection.open(target)) {
                while (System.nanoTime() < end) connection.exchange(get, new byte[0]);
            }
        });
        target.endPhase("layouts");
    }

    private static byte[] workflow(String queue) {
        String first = IntStream.range(0, HALF).mapToObj("\"a%d\""::formatted).collect(Collectors.joining(","));
        String steps = IntStream.range(0, 2 * HALF)
                .mapToObj(i -> "{\"id\":\"%s%d\",\"type\":\"a\",\"queue\":\"%s\",\"args\":[],\"depends_on\":[%s]}"
                        .formatted(i < HALF ? "a" : "b", i % HALF, queue, i < HALF ? "" : first))
                .collect(Collectors.joining(","));
        return bytes("{\"name\":\"graph\",\"steps\":[" + steps + "]}");
    }
}
