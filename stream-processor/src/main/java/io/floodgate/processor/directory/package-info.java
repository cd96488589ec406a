/** Ids that producers chose: each exists once in the whole cluster, and leads to its job. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.directory;

import org.jspecify.annotations.NullMarked;
