/** Limits: how many jobs may run, and how fast they may start, under a key or in a queue. */
@NullMarked
package io.floodgate.topics.limit;

import org.jspecify.annotations.NullMarked;
