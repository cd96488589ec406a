/** Events as readers of {@code ojs.events} find them. */
@NullMarked
package io.floodgate.topics.event;

import org.jspecify.annotations.NullMarked;
