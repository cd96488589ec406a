/**
 * Attacks a server of its own, while a canary asks all the time whether others are still served: each attack is a class
 * in {@code attack}, {@link io.floodgate.verification.hostile.HostileRun} carries them out one after the other.
 */
@NullMarked
package io.floodgate.verification.hostile;

import org.jspecify.annotations.NullMarked;
