package io.floodgate.standalone;

import io.floodgate.topics.webhook.WebhookTargets;

/** @param delivers whether this process delivers events to subscribers */
record WebhookSettings(boolean delivers, WebhookTargets targets) {
    static final WebhookSettings DEFAULT = new WebhookSettings(true, WebhookTargets.PUBLIC);
}
