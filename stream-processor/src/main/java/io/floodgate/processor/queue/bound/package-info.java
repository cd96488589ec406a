/** Bounds of queues, producers that wait for capacity, and events about full queues. */
@NullMarked
package io.floodgate.processor.queue.bound;

import org.jspecify.annotations.NullMarked;
