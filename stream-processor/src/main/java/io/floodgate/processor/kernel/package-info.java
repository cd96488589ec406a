/**
 * The parts that all entities of a partition share: its time, its timers, its messages, and the effects of a command.
 * Plain Java, deterministic.
 */
@NullMarked
package io.floodgate.processor.kernel;

import org.jspecify.annotations.NullMarked;
