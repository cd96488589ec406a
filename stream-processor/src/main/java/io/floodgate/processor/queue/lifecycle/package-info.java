/** Makes, configures, shows, empties and deletes queues. */
@NullMarked
package io.floodgate.processor.queue.lifecycle;

import org.jspecify.annotations.NullMarked;
