/** A topic to which outcomes of jobs are written, while processes are killed. */
@NullMarked
package io.floodgate.verification.sink;

import org.jspecify.annotations.NullMarked;
