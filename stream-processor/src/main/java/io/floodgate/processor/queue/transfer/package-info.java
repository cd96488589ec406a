/** What becomes of jobs that fail, are moved, or go to another queue. */
@NullMarked
package io.floodgate.processor.queue.transfer;

import org.jspecify.annotations.NullMarked;
