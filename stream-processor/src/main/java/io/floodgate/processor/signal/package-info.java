/** Signals, which steps of workflows wait for. */
@NullMarked
package io.floodgate.processor.signal;

import org.jspecify.annotations.NullMarked;
