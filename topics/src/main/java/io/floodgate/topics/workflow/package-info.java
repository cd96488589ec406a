/** Workflows as clients describe them, in every dialect, and the one graph that all of them become. */
@NullMarked
package io.floodgate.topics.workflow;

import org.jspecify.annotations.NullMarked;
