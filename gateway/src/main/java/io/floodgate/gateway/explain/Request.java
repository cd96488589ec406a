package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.topics.json.JsonOut;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requests that are advised. In a body, {@code $name} is a value as JSON. */
enum Request {
    RESUME_QUEUE("queue.resume", "POST", "/ojs/v1/queues/{queue}/resume", "", Action.REVERSIBLE),
    BOUND_TENANT(
            "tenant.bound",
            "PUT",
            "/ojs/v1/admin/tenants/{tenant_id:path}",
            "{\"limits\":{\"max_queue_depth\":$half},\"queues\":[$queue]}",
            Action.CHANGE);

    private static final Pattern VALUE = Pattern.compile("\\$(\\w+)");

    private final String id;
    private final String method;
    private final String path;
    private final String body;
    private final String effect;

    /** @param body empty for none */
    Request(String id, String method, String path, String body, String effect) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.body = body;
        this.effect = effect;
    }

    Action action(FindingFacts facts) {
        String filled =
                VALUE.matcher(body).replaceAll(name -> Matcher.quoteReplacement(json(facts.value(name.group(1)))));
        return new Action(id, method, Template.fill(path, facts), filled.isEmpty() ? null : filled, effect);
    }

    private static String json(@Nullable Object value) {
        return value instanceof Number
                ? value.toString()
                : new JsonOut().value(String.valueOf(value)).toString();
    }
}
