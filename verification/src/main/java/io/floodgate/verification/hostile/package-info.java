/**
 * Attacks on a server, while a canary asks all the time whether others are still served. An attack is a row of a table
 * ({@link io.floodgate.verification.hostile.HttpAttacks} and its like);
 * {@link io.floodgate.verification.hostile.HostileRun} carries attacks out one after the other.
 */
@NullMarked
package io.floodgate.verification.hostile;

import org.jspecify.annotations.NullMarked;
