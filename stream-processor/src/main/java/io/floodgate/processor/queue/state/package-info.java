/** Values, orders and codecs of queues, jobs and the permits of their keys, and no rule about them. */
@NullMarked
package io.floodgate.processor.queue.state;

import org.jspecify.annotations.NullMarked;
