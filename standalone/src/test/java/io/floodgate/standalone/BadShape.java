package io.floodgate.standalone;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A server whose queues, workers, limits, tenants, schedules and workflows are in trouble. */
final class BadShape {
    private final HttpApi http;
    private String failed = "";
    private String workflow = "";

    private BadShape(HttpApi http) {
        this.http = http;
    }

    static BadShape make(HttpApi http) throws IOException, InterruptedException {
        BadShape made = new BadShape(http);
        made.queues();
        made.workers();
        made.others();
        return made;
    }

    /** A page of each kind, by a name for it. */
    Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "");
        pages.put("queues", "queues");
        pages.put("queue-why", "queues/email.welcome/why");
        pages.put("queue-jobs", "queues/email.welcome/jobs");
        pages.put("queue-config", "queues/email.welcome/config");
        pages.put("queue-events", "queues/billing/events");
        pages.put("jobs", "jobs?state=discarded");
        pages.put("job", "jobs/" + failed);
        pages.put("dead", "dead");
        pages.put("workers", "workers");
        pages.put("worker", "workers/worker-7");
        pages.put("limits", "limits");
        pages.put("limit", "limits/api.partner");
        pages.put("tenants", "tenants");
        pages.put("tenant", "tenants/acme");
        pages.put("schedules", "schedules");
        pages.put("schedule", "schedules/nightly-report");
        pages.put("workflows", "workflows");
        pages.put("workflow", "workflows/" + workflow);
        pages.put("keys", "keys");
        pages.put("sources", "sources");
        pages.put("events", "events");
        pages.put("system", "system");
        pages.put("settings", "settings");
        return pages;
    }

    private String enqueue(String queue, String type, String more) throws IOException, InterruptedException {
        return http.post(
                        "/ojs/v1/jobs",
                        "{\"type\":\"%s\",\"queue\":\"%s\",\"args\":[{\"to\":\"ada@example.com\",\"order\":9007199254740993}]%s}"
                                .formatted(type, queue, more))
                .text("/job/id");
    }

    private JsonNode fetch(String queue, String worker, int count) throws IOException, InterruptedException {
        return http.post(
                        "/ojs/v1/workers/fetch",
                        "{\"queues\":[\"%s\"],\"worker_id\":\"%s\",\"count\":%d,\"wait_ms\":0}"
                                .formatted(queue, worker, count))
                .body()
                .at("/jobs");
    }

    private void fail(String queue, String worker, int count, String message) throws IOException, InterruptedException {
        for (JsonNode job : fetch(queue, worker, count))
            http.post(
                    "/ojs/v1/workers/nack",
                    "{\"job_id\":\"%s\",\"worker_id\":\"%s\",\"error\":{\"type\":\"SmtpError\",\"message\":\"%s\",\"details\":{\"stack\":\"at Mailer.send(Mailer.java:42)\\nat Billing.run(Billing.java:7)\"}}}"
                            .formatted(job.at("/id").asString(), worker, message));
    }

    private void queues() throws IOException, InterruptedException {
        http.put("/ojs/v1/queues/email.welcome/config", "{\"max_size\":50,\"overflow_policy\":\"reject\"}");
        for (int i = 0; i < 50; i++) enqueue("email.welcome", "email.send", "");
        for (int i = 0; i < 30; i++)
            http.statusOfPost("/ojs/v1/jobs", "{\"type\":\"email.send\",\"queue\":\"email.welcome\",\"args\":[]}");
        for (int i = 0; i < 24; i++) failed = enqueue("billing", "invoice.send", ",\"retry\":{\"max_attempts\":1}");
        fail("billing", "worker-7", 24, "connect to smtp.example.com:25 failed: connection refused");
        for (int i = 0; i < 7; i++) enqueue("reports", "report.make", "");
        http.post("/ojs/v1/queues/reports/pause", "{\"reason\":\"the warehouse is being moved\"}");
        enqueue("lonely.queue-with-a-rather-long-name", "image.resize", "");
    }

    private void workers() throws IOException, InterruptedException {
        http.post(
                "/ojs/v1/workers/heartbeat",
                "{\"worker_id\":\"worker-7\",\"active_jobs\":[],\"hostname\":\"batch-7.example.com\",\"pid\":4711,\"queues\":[\"email.welcome\",\"billing\"],\"concurrency\":10,\"version\":\"1.4.2\"}");
        http.post(
                "/ojs/v1/workers/heartbeat",
                "{\"worker_id\":\"worker-8\",\"active_jobs\":[],\"hostname\":\"batch-8\"}");
        http.post("/ojs/v1/admin/workers/worker-8/directive", "{\"directive\":\"quiet\"}");
        fetch("email.welcome", "worker-7", 8);
    }

    private void others() throws IOException, InterruptedException {
        String limit = ",\"rate_limit\":{\"key\":\"api.partner\",\"concurrency\":2}";
        for (int i = 0; i < 5; i++) enqueue("sync", "partner.push", limit);
        fetch("sync", "worker-9", 1);
        http.put("/ojs/v1/rate-limits/api.partner/override", "{\"concurrency\":0}");
        fetch("sync", "worker-9", 1);
        http.put(
                "/ojs/v1/admin/queues/shared/config",
                "{\"max_size\":20,\"overflow_policy\":\"reject\",\"tenants\":[{\"tenant_id\":\"*\",\"limits\":{\"max_queue_depth\":100}}]}");
        for (int i = 0; i < 25; i++)
            http.statusOfPost(
                    "/ojs/v1/jobs",
                    "{\"type\":\"sync.run\",\"queue\":\"shared\",\"args\":[],\"meta\":{\"tenant_id\":\"acme\"}}");
        http.statusOfPost(
                "/ojs/v1/jobs",
                "{\"type\":\"sync.run\",\"queue\":\"shared\",\"args\":[],\"meta\":{\"tenant_id\":\"small\"}}");
        http.post(
                "/ojs/v1/cron",
                "{\"name\":\"nightly-report\",\"expression\":\"* * * * * *\",\"timezone\":\"Europe/Berlin\",\"overlap_policy\":\"skip\",\"job_template\":{\"type\":\"report.make\",\"args\":[],\"options\":{\"queue\":\"reports\"}}}");
        workflow = http.post(
                        "/ojs/v1/workflows",
                        "{\"type\":\"chain\",\"name\":\"refund\",\"steps\":[{\"type\":\"refund.check\",\"args\":[],\"options\":{\"queue\":\"refunds\",\"retry\":{\"max_attempts\":1}}},{\"type\":\"refund.pay\",\"args\":[],\"options\":{\"queue\":\"refunds\"}}]}")
                .text("/workflow/id");
        fail("refunds", "worker-7", 1, "the account is closed");
        enqueue("unique", "import.run", ",\"unique\":{\"keys\":[\"type\"]}");
    }
}
