/** How jobs come to workers, and what becomes of their leases. */
@NullMarked
package io.floodgate.processor.queue.fetch;

import org.jspecify.annotations.NullMarked;
