/** One partition: its entities, its time, the step that a record is, and what the record causes. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.partition;

import org.jspecify.annotations.NullMarked;
