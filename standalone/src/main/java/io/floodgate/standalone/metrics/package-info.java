/** Metrics of a process for operators: one registry of meters, and the port that offers it. */
@NullMarked
package io.floodgate.standalone.metrics;

import org.jspecify.annotations.NullMarked;
