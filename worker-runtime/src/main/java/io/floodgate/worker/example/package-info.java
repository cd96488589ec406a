/** A worker to start from, and a trickle of jobs for it. */
@NullMarked
package io.floodgate.worker.example;

import org.jspecify.annotations.NullMarked;
