/**
 * The shortcut of {@code floodgate up}: appends to the partitions that the broker in this process leads, and reads them, past
 * the network. It relies on Kafka's internal classes; {@code --network-only} turns it off.
 */
@NullMarked
package io.floodgate.standalone.broker.local;

import org.jspecify.annotations.NullMarked;
