/** The stream processor: every partition's only writer. See {@link io.floodgate.processor.partition.PartitionEngine} for where to begin. */
@NullMarked
package io.floodgate.processor;

import org.jspecify.annotations.NullMarked;
