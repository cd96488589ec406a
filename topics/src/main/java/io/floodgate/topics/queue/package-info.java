/** What can be decided about a queue, for all of it and for tenants. */
@NullMarked
package io.floodgate.topics.queue;

import org.jspecify.annotations.NullMarked;
