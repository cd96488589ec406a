/** Pools of workers, and the order in which fetches look into queues. */
@NullMarked
package io.floodgate.gateway.pool;

import org.jspecify.annotations.NullMarked;
