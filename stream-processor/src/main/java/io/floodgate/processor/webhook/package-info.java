/** The registry of webhook subscriptions. */
@NullMarked
package io.floodgate.processor.webhook;

import org.jspecify.annotations.NullMarked;
