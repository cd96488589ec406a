/** The scenarios: each is a load, with what is measured of it. */
@NullMarked
package io.floodgate.bench.scenario;

import org.jspecify.annotations.NullMarked;
