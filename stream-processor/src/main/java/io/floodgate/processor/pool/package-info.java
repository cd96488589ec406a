/** Pools of workers. */
@NullMarked
package io.floodgate.processor.pool;

import org.jspecify.annotations.NullMarked;
