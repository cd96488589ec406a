/**
 * Searches for bugs by chance. Every run follows from its seed: {@code -Dqueue.seed=N} repeats one, {@code
 * -Dqueue.seeds=N} takes more than CI has time for.
 *
 * <ul>
 *   <li>{@code RandomWalkTest}: one log beside a naive reference, compared after every record.
 *   <li>{@code SimulationTest}: many logs, a bad network, crashes and zombies; what must hold is checked.
 *   <li>{@code ReplayTest}: the logs of simulations once more, cut at every point.
 *   <li>{@code MutantTest}: the same searches against broken rules, which they must find. {@code // mutant: some-name} in
 *       production code marks what is broken; {@code MarkersTest} fails when a marker and its mutants do not fit together.
 * </ul>
 *
 * <p>What they do not see: the reference takes retry delays from {@code RetryPolicy}, so that a wrong formula is right in
 * both; {@code Instance} and {@code Sender} stand for Kafka Streams and its producer as we believe they behave, and the
 * topology itself does not run here; no store ever fails; and the mutants are chosen by hand, one for each kind of
 * mistake we could think of, so they say that a search can find such a thing, not how much it would miss.
 */
@NullMarked
package io.floodgate.processor.simulation;

import org.jspecify.annotations.NullMarked;
