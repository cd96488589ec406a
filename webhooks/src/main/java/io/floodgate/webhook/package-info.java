/**
 * The outgoing edge of webhooks. URLs come from clients of the API, and what answers may be hostile: everything here is
 * bounded in time and size, and calls only where it may. Start at {@link io.floodgate.webhook.WebhookEndpoint}.
 */
@NullMarked
package io.floodgate.webhook;

import org.jspecify.annotations.NullMarked;
