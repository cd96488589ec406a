/** The stream processor: every log's only writer. See {@link io.floodgate.processor.log.LogEngine} for where to begin. */
@NullMarked
package io.floodgate.processor;

import org.jspecify.annotations.NullMarked;
