/** Those who wait for jobs: fetches and watches. */
@NullMarked
package io.floodgate.processor.queue.wait;

import org.jspecify.annotations.NullMarked;
