package io.floodgate.gateway;

import io.floodgate.gateway.http.Route;

/** A valid body for each route that takes one. */
final class RequestBodies {
    static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

    private RequestBodies() {}

    static String of(Route route, String queue) {
        String job = "{\"type\":\"a\",\"args\":[],\"queue\":\"%s\"}".formatted(queue);
        return switch (route.name()) {
            case "job.enqueue" -> job;
            case "job.enqueue_batch", "job.enqueue_bulk", "workflow.add_jobs" -> "{\"jobs\":[%s]}".formatted(job);
            case "worker.fetch" -> "{\"queues\":[\"%s\"],\"worker_id\":\"w\"}".formatted(queue);
            case "cron.register" -> "{\"name\":\"n\",\"expression\":\"@daily\",\"job_template\":%s}".formatted(job);
            case "schema.register" -> "{\"type\":\"a\",\"schema\":{}}";
            case "admin.schema.put", "admin.schema.put_version" -> "{\"schema\":{}}";
            case "signal.send" -> "{\"event\":\"payment\",\"key\":\"order-17\"}";
            case "source.put" -> "{\"topic\":\"t\",\"queue\":\"q\",\"job\":{\"type\":\"a\"}}";
            case "sink.put" -> "{\"topic\":\"t\"}";
            case "sink.change" -> "{\"paused\":true}";
            case "sink.rewind" -> "{\"to\":\"earliest\"}";
            case "source.change" -> "{\"paused\":true}";
            case "source.rewind" -> "{\"to\":\"earliest\"}";
            case "webhook.create" -> "{\"url\":\"https://a.example\",\"events\":[\"*\"]}";
            case "webhook.change" -> "{\"active\":true}";
            case "webhook.replay" -> "{\"from\":\"2026-02-12T10:00:00Z\"}";
            case "pool.put" -> "{\"queues\":[\"%s\"]}".formatted(queue);
            case "cron.backfill" -> "{\"from\":\"2020-01-01T00:00:00Z\",\"to\":\"2020-01-02T00:00:00Z\"}";
            case "cron.register_all" ->
                "{\"managed_by\":\"m\",\"crons\":[{\"name\":\"n\",\"expression\":\"@daily\",\"job_template\":%s}]}"
                        .formatted(job);
            case "workflow.create" -> "{\"type\":\"chain\",\"steps\":[%s]}".formatted(job);
            case "dead_letter.retry" -> "{\"queue\":\"%s\"}".formatted(queue);
            case "job.prioritize", "admin.job.prioritize" -> "{\"priority\":1}";
            case "admin.bulk.retry",
                    "admin.bulk.cancel",
                    "admin.bulk.delete",
                    "bulk.retry",
                    "bulk.cancel",
                    "bulk.delete",
                    "dead_letter.retry_many",
                    "admin.dead_letter.retry_many" -> "{\"ids\":[\"%s\"],\"confirm\":true}".formatted(ID);
            case "queue.purge", "admin.queue.purge" -> "{\"states\":[\"completed\"],\"confirm\":true}";
            case "admin.dead_letter.purge" -> "{\"confirm\":true}";
            case "rate_limit.override", "queue.limit", "queue.configure" -> "{\"concurrency\":1}";
            case "tenant.decide" -> "{\"limits\":{\"max_queue_depth\":5},\"queues\":[\"%s\"]}".formatted(queue);
            case "queue.create" -> "{\"name\":\"%s\"}".formatted(queue);
            case "queue.delete" -> "{\"strategy\":\"discard\"}";
            case "system.maintain" -> "{\"enabled\":false}";
            case "admin.worker.direct" -> "{\"directive\":\"quiet\"}";
            case "queue.pause", "admin.queue.pause" -> "{\"reason\":\"r\"}";
            case "workflow.retry", "admin.dead_letter.retry" -> "{}";
            case "job.results" -> "{\"ids\":[\"%s\"]}".formatted(ID);
            case "job.store_checkpoint" -> "{\"state\":{\"a\":1}}";
            case "cron.preview" -> "{\"expression\":\"@daily\"}";
            case "cron.change" -> "{\"expression\":\"@daily\"}";
            case "job.report_progress" -> "{\"progress\":0.5}";
            case "worker.progress" -> "{\"job_id\":\"%s\",\"progress\":0.5}".formatted(ID);
            default ->
                "{\"job_id\":\"%s\",\"worker_id\":\"w\",\"active_jobs\":[\"%1$s\"],\"error\":{\"type\":\"a\",\"message\":\"b\"}}"
                        .formatted(ID);
        };
    }
}
