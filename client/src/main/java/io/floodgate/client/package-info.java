/**
 * The library that Java producers embed: jobs go in over HTTP or through Kafka, behind one interface that tries again,
 * breaks circuits, sends jobs in batches and, if configured, keeps them locally until the server has them. Start at
 * {@link io.floodgate.client.Producer}.
 */
@NullMarked
package io.floodgate.client;

import org.jspecify.annotations.NullMarked;
