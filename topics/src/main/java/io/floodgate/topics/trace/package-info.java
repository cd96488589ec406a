/** Spans of jobs for OpenTelemetry. */
@NullMarked
package io.floodgate.topics.trace;

import org.jspecify.annotations.NullMarked;
