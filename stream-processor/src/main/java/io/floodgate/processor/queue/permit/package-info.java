/** Gets the permits of a partition's queues for jobs with a rate limit. */
@NullMarked
package io.floodgate.processor.queue.permit;

import org.jspecify.annotations.NullMarked;
