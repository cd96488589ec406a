package io.floodgate.standalone;

import io.floodgate.gateway.Gateway;
import io.floodgate.topics.client.ClientConfig;
import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.webhook.Webhooks;
import io.floodgate.webhook.sink.SinkWriters;
import io.micrometer.core.instrument.MeterRegistry;

/** @param delivers whether this process delivers events to subscribers, and outcomes to sinks */
record WebhookSettings(boolean delivers, WebhookTargets targets) {
    static final WebhookSettings DEFAULT = new WebhookSettings(true, WebhookTargets.PUBLIC);

    /** Delivers beside a gateway, by its connection, if it is to. */
    void start(ClientConfig client, Gateway gateway, MeterRegistry registry, Running running) {
        if (!delivers) return;
        running.add("webhooks", Webhooks.start(client.cluster(), gateway.client(), targets, registry));
        running.add("sinks", SinkWriters.start(client.cluster(), gateway.client(), registry));
    }
}
