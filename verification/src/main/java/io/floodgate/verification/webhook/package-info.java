/** Subscribers of webhooks, some of them dead or slow, while processes are killed. */
@NullMarked
package io.floodgate.verification.webhook;

import org.jspecify.annotations.NullMarked;
