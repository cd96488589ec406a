/** The registry of workers: who is alive, and who is told when one falls silent. Plain Java, deterministic. */
@NullMarked
package io.floodgate.processor.worker;

import org.jspecify.annotations.NullMarked;
