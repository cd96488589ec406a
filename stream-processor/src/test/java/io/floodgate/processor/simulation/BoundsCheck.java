package io.floodgate.processor.simulation;

import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A caller that was let in learned how full the queue was then: never fuller than its bound, unless that was lowered and each
 * job that comes takes others out.
 */
final class BoundsCheck {
    private BoundsCheck() {}

    static void check(List<Ledger.Order> orders, Map<Long, List<Reply>> answers) {
        for (Ledger.Order order : orders)
            for (long number : order.tries)
                for (Reply reply : answers.getOrDefault(number, List.of()))
                    if (reply instanceof Reply.Done done) done.lines().forEach(line -> check(number, line));
    }

    private static void check(long number, byte[] line) {
        if (!new String(line, StandardCharsets.UTF_8).startsWith("{\"load\":")) return;
        JsonNode load = Json.tree(line).get("load");
        if (load.get("strategy").stringValue().equals("drop_oldest")) return;
        check(number, load, "depth", "max_depth");
        check(number, load, "size_bytes", "max_size_bytes");
    }

    private static void check(long number, JsonNode load, String figure, String bound) {
        if (load.has(bound) && load.get(figure).longValue() > load.get(bound).longValue())
            throw new AssertionError("question %d was let in above the bound: %s".formatted(number, load));
    }
}
