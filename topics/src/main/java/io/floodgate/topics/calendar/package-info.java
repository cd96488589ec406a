/**
 * The times of schedules: expressions, time zones and changes of the clock. Not for the state machine, which must not
 * depend on time zones.
 */
@NullMarked
package io.floodgate.topics.calendar;

import org.jspecify.annotations.NullMarked;
