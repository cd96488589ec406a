/** What was measured, as a table, as JSON and as a page with curves. */
@NullMarked
package io.floodgate.bench.report;

import org.jspecify.annotations.NullMarked;
