/** What may run of the jobs that share a limit, and how fast they may start. */
@NullMarked
package io.floodgate.processor.limit;

import org.jspecify.annotations.NullMarked;
