/** The jobs of a partition, and the one method through which they change. */
@NullMarked
package io.floodgate.processor.queue.job;

import org.jspecify.annotations.NullMarked;
