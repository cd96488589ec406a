/** Where the queues of a partition get permits for jobs with a rate limit. */
@NullMarked
package io.floodgate.processor.queue.permit;

import org.jspecify.annotations.NullMarked;
