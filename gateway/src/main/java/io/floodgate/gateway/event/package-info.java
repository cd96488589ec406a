/** The event feed: a bounded buffer of the newest events, polled or streamed. */
@NullMarked
package io.floodgate.gateway.event;

import org.jspecify.annotations.NullMarked;
