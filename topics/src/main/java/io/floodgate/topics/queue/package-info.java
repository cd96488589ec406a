/** What can be decided about a queue. */
@NullMarked
package io.floodgate.topics.queue;

import org.jspecify.annotations.NullMarked;
