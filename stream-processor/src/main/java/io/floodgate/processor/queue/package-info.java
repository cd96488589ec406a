/** Queues and their jobs: the state, and the rules of every command that concerns them. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.queue;

import org.jspecify.annotations.NullMarked;
