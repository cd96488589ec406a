/** The table of a session. */
@NullMarked
package io.floodgate.bench.report;

import org.jspecify.annotations.NullMarked;
