/** How queues are made, configured, shown, emptied and deleted. */
@NullMarked
package io.floodgate.processor.queue.lifecycle;

import org.jspecify.annotations.NullMarked;
