/** Jobs of tenants in this partition, and the grants that it holds of their bounds over all queues. */
@NullMarked
package io.floodgate.processor.queue.tenant;

import org.jspecify.annotations.NullMarked;
