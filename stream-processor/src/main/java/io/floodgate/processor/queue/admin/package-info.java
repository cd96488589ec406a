/** Queries and actions of operators on jobs, also on many of them at once. */
@NullMarked
package io.floodgate.processor.queue.admin;

import org.jspecify.annotations.NullMarked;
