/** Schedules under attack, and whether each of their occurrences has exactly one outcome. */
@NullMarked
package io.floodgate.verification.schedules;

import org.jspecify.annotations.NullMarked;
