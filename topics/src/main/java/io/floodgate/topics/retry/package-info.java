/** Retries of jobs: their number, and the delay after each failure (OJS retry). */
@NullMarked
package io.floodgate.topics.retry;

import org.jspecify.annotations.NullMarked;
