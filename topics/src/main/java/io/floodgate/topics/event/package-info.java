/** OJS events as they stand on {@code ojs.events}. */
@NullMarked
package io.floodgate.topics.event;

import org.jspecify.annotations.NullMarked;
