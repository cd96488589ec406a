/** Explanations: why a queue, a job, a limit, a worker or the system stands as it does, and what an operator can do. */
@NullMarked
package io.floodgate.gateway.explain;

import org.jspecify.annotations.NullMarked;
