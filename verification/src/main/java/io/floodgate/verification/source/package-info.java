/** A topic whose records become jobs, while processes are killed. */
@NullMarked
package io.floodgate.verification.source;

import org.jspecify.annotations.NullMarked;
