/** How often a job is tried, and how long after each failure (OJS retry). */
@NullMarked
package io.floodgate.topics.retry;

import org.jspecify.annotations.NullMarked;
