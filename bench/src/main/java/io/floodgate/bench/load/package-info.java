/** Doing something over and over, at full speed or at a given rate, and measuring how long it takes. */
@NullMarked
package io.floodgate.bench.load;

import org.jspecify.annotations.NullMarked;
