/** Counts the starts and runs of jobs that share a limit, and gives the permits for more. */
@NullMarked
package io.floodgate.processor.limit;

import org.jspecify.annotations.NullMarked;
