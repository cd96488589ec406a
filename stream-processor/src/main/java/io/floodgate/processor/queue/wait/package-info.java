/** Fetches and watches that wait for jobs. */
@NullMarked
package io.floodgate.processor.queue.wait;

import org.jspecify.annotations.NullMarked;
