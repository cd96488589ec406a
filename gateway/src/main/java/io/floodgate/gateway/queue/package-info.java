/** Queues over HTTP, and the table of their latest statuses. */
@NullMarked
package io.floodgate.gateway.queue;

import org.jspecify.annotations.NullMarked;
