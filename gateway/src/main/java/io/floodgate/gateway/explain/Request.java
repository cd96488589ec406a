package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.topics.json.JsonOut;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requests that are advised. In a body, {@code $name} is a value as JSON. */
enum Request {
    ACTIVATE_JOB("job.activate", "POST", "/ojs/v1/jobs/{job_id}/activate", "", Action.CHANGE),
    BOUND_QUEUE("queue.bound", "PUT", "/ojs/v1/queues/{queue}/config", "{\"max_size\":$more}", Action.CHANGE),
    BOUND_TENANT(
            "tenant.bound",
            "PUT",
            "/ojs/v1/admin/tenants/{tenant_id:path}",
            "{\"limits\":{\"max_queue_depth\":$half},\"queues\":[$queue]}",
            Action.CHANGE),
    CANCEL_HOLDER("job.cancel", "DELETE", "/ojs/v1/jobs/{waiting.holder}", "", Action.CHANGE),
    CANCEL_JOB("job.cancel", "DELETE", "/ojs/v1/jobs/{job_id}", "", Action.CHANGE),
    END_MAINTENANCE(
            "system.maintenance", "POST", "/ojs/v1/admin/system/maintenance", "{\"enabled\":false}", Action.REVERSIBLE),
    END_OVERRIDE("rate_limit.end_override", "DELETE", "/ojs/v1/rate-limits/{key}/override", "", Action.CHANGE),
    PAUSE_QUEUE("queue.pause", "POST", "/ojs/v1/queues/{queue}/pause", "{\"reason\":\"runs fail\"}", Action.REVERSIBLE),
    QUIET_WORKER(
            "worker.quiet",
            "POST",
            "/ojs/v1/admin/workers/{worker_id:path}/directive",
            "{\"directive\":\"quiet\"}",
            Action.REVERSIBLE),
    RESUME_QUEUE("queue.resume", "POST", "/ojs/v1/queues/{queue}/resume", "", Action.REVERSIBLE),
    RESUME_SCHEDULE("cron.resume", "POST", "/ojs/v1/cron/{name:path}/resume", "", Action.REVERSIBLE),
    RESUME_SOURCE(
            "source.change", "PATCH", "/ojs/v1/admin/sources/{name:path}", "{\"paused\":false}", Action.REVERSIBLE),
    RESUME_WORKER(
            "worker.resume",
            "POST",
            "/ojs/v1/admin/workers/{worker_id:path}/directive",
            "{\"directive\":\"resume\"}",
            Action.REVERSIBLE),
    RETRY_JOB("job.retry", "POST", "/ojs/v1/admin/jobs/{job_id}/retry", "", Action.CHANGE),
    SEND_SIGNAL("signal.send", "POST", "/ojs/v1/signals", "{\"event\":$event,\"key\":$key}", Action.CHANGE),
    SKIP_HOLDER("job.skip", "POST", "/ojs/v1/jobs/{waiting.holder}/skip", "", Action.CHANGE),
    RETRY_WORKFLOW("workflow.retry", "POST", "/ojs/v1/workflows/{id}/retry", "", Action.CHANGE);

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
