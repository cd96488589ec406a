/** A worker to start from. */
@NullMarked
package io.floodgate.worker.example;

import org.jspecify.annotations.NullMarked;
