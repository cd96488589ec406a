/** Decides when to stop trying what fails, and when to try again: for gateways, workers and producers alike. */
@NullMarked
package io.floodgate.topics.circuit;

import org.jspecify.annotations.NullMarked;
