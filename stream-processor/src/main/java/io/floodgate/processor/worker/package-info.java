/** The registry of workers: which are alive, and which partitions learn of a lost one. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.worker;

import org.jspecify.annotations.NullMarked;
