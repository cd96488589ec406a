/** How much comes into queues: bounds, producers that wait for room, and events about full queues. */
@NullMarked
package io.floodgate.processor.queue.bound;

import org.jspecify.annotations.NullMarked;
