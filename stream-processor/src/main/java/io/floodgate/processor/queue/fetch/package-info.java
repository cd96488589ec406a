/** Hands out jobs to workers, and keeps their leases. */
@NullMarked
package io.floodgate.processor.queue.fetch;

import org.jspecify.annotations.NullMarked;
