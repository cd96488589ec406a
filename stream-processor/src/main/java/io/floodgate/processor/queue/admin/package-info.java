/** What operators ask of jobs, and do to many of them at once. */
@NullMarked
package io.floodgate.processor.queue.admin;

import org.jspecify.annotations.NullMarked;
