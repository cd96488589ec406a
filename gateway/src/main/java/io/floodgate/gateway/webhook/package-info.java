/** Webhooks: subscriptions, and what has come of deliveries. */
@NullMarked
package io.floodgate.gateway.webhook;

import org.jspecify.annotations.NullMarked;
