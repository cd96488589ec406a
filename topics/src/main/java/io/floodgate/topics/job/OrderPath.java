package io.floodgate.topics.job;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.OrderKey;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Paths by which queues find the order keys of jobs that name none. */
public final class OrderPath {
    private OrderPath() {}

    /**
     * Returns what is at the path, if it can be a key: a text that is not too long, a number, or a flag.
     *
     * @param members of a job, as a JSON object that Floodgate wrote
     */
    public static Optional<String> at(String path, byte[] members) {
        String[] names = path.split("\\.", -1);
        byte[] top = MemberWalk.raw(members, names[0]);
        if (top == null) return Optional.empty();
        JsonNode node = Json.tree(top);
        for (int i = 1; i < names.length; i++) {
            if (node.isArray() && !isPosition(names[i])) node = node.path(0);
            node = node.isArray() ? node.path(Integer.parseInt(names[i])) : node.path(names[i]);
        }
        if (!node.isValueNode() || node.isNull()) return Optional.empty();
        return Optional.of(node.isString() ? Json.text(node) : node.asString()).filter(OrderKey::isKey);
    }

    private static boolean isPosition(String name) {
        return name.length() <= 6 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
