/** Rejects what does not fit without asking the partition, as long as it is certain what that would say. */
@NullMarked
package io.floodgate.gateway.capacity;

import org.jspecify.annotations.NullMarked;
