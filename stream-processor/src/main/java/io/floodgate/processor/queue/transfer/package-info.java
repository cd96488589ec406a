/** Retries, dead-letters and moves jobs, and sends them to other queues. */
@NullMarked
package io.floodgate.processor.queue.transfer;

import org.jspecify.annotations.NullMarked;
