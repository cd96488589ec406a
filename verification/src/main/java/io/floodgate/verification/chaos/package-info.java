/**
 * Load for a server that is being killed: producers and workers over HTTP that take errors as they come, and write down
 * what they did and heard. {@link io.floodgate.verification.chaos.ChaosLoad} is the door.
 */
@NullMarked
package io.floodgate.verification.chaos;

import org.jspecify.annotations.NullMarked;
