/** Batches over several partitions: stored whole or not at all. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.batch;

import org.jspecify.annotations.NullMarked;
