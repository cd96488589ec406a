/** Brings jobs from the topics of single queues to the partitions of their queues. */
@NullMarked
package io.floodgate.processor.topology.ingress;

import org.jspecify.annotations.NullMarked;
