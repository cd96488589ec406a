/** The load generator: its command line, and what its commands share. */
@NullMarked
package io.floodgate.bench;

import org.jspecify.annotations.NullMarked;
