/**
 * Searches for bugs by chance: a real queue beside a naive reference, recorded logs cut at every point, and a cluster
 * with a bad network. Every run follows from its seed; {@code MutantTest} shows what
 * they would find.
 */
@NullMarked
package io.floodgate.processor.simulation;

import org.jspecify.annotations.NullMarked;
