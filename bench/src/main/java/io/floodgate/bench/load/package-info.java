/** Callers that do one thing over and over, at full speed or at a given rate, and how long it takes them. */
@NullMarked
package io.floodgate.bench.load;

import org.jspecify.annotations.NullMarked;
