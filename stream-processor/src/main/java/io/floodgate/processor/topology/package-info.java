/** The thin Kafka Streams topology around the state machine. */
@NullMarked
package io.floodgate.processor.topology;

import org.jspecify.annotations.NullMarked;
