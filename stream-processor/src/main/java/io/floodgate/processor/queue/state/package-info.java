/** What is known of queues, jobs and the permits of their keys: values, orders and codecs, and no rule about them. */
@NullMarked
package io.floodgate.processor.queue.state;

import org.jspecify.annotations.NullMarked;
