package io.floodgate.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The jobs that an assertion is about. It is never changed: each method gives another one.
 *
 * <pre>{@code
 * ExpectedJobs.of("email.send").args("ada@example.com").queue("email").meta("tenant_id", "acme").count(1)
 * }</pre>
 */
public final class ExpectedJobs {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final @Nullable String type;
    private final @Nullable JsonNode args;
    private final @Nullable String queue;
    private final Map<String, JsonNode> meta;
    private final @Nullable Integer count;

    private ExpectedJobs(
            @Nullable String type,
            @Nullable JsonNode args,
            @Nullable String queue,
            Map<String, JsonNode> meta,
            @Nullable Integer count) {
        this.type = type;
        this.args = args;
        this.queue = queue;
        this.meta = meta;
        this.count = count;
    }

    /** Jobs of all types. */
    public static ExpectedJobs any() {
        return new ExpectedJobs(null, null, null, Map.of(), null);
    }

    public static ExpectedJobs of(String type) {
        return new ExpectedJobs(type, null, null, Map.of(), null);
    }

    /** Jobs with exactly these arguments, compared as JSON. */
    public ExpectedJobs args(Object... values) {
        return new ExpectedJobs(type, json(values), queue, meta, count);
    }

    public ExpectedJobs queue(String name) {
        return new ExpectedJobs(type, args, name, meta, count);
    }

    /** Jobs whose {@code meta} has this member, among others. */
    public ExpectedJobs meta(String name, Object value) {
        Map<String, JsonNode> more = new LinkedHashMap<>(meta);
        more.put(name, json(value));
        return new ExpectedJobs(type, args, queue, more, count);
    }

    /** Exactly this many jobs; at least one if nothing is said. */
    public ExpectedJobs count(int jobs) {
        return new ExpectedJobs(type, args, queue, meta, jobs);
    }

    private static JsonNode json(Object value) {
        return JSON.readTree(JSON.writeValueAsBytes(value));
    }

    boolean isCount(long found) {
        return count == null ? found > 0 : found == count;
    }

    boolean match(JsonNode job) {
        return differences(job).isEmpty();
    }

    /** Returns why a job is not one of these. */
    List<String> differences(JsonNode job) {
        List<String> differences = new ArrayList<>();
        compare(differences, "type", type, job.path("type").asString(""));
        compare(differences, "args", args, job.path("args"));
        compare(differences, "queue", queue, job.path("queue").asString(""));
        meta.forEach((name, value) ->
                compare(differences, "meta." + name, value, job.path("meta").path(name)));
        return differences;
    }

    private static void compare(List<String> differences, String what, @Nullable Object expected, Object found) {
        if (expected != null && !expected.equals(found)) differences.add("other " + what);
    }

    @Override
    public String toString() {
        return text(count == null ? "a job" : count + (count == 1 ? " job" : " jobs"));
    }

    /** @param number of jobs, which it begins with */
    String text(String number) {
        StringBuilder text = new StringBuilder(number);
        if (type != null) text.append(" of type '").append(type).append('\'');
        if (args != null) text.append(" with args ").append(args);
        if (queue != null) text.append(" in queue '").append(queue).append('\'');
        if (!meta.isEmpty()) text.append(" with meta ").append(meta);
        return text.toString();
    }
}
