/**
 * A Kafka broker inside this process: one node that is broker and controller (KRaft), tuned for a quick start, a quiet
 * life when idle and a quick return after a crash. It knows nothing of jobs.
 */
@NullMarked
package io.floodgate.standalone.broker;

import org.jspecify.annotations.NullMarked;
