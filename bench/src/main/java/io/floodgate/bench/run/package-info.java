/** What can be measured: each run is one class, from its connections to its {@code Measurement}. */
@NullMarked
package io.floodgate.bench.run;

import org.jspecify.annotations.NullMarked;
