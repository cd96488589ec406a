/** Stores on disk that always hold a committed state: nothing need be thrown away after a crash. */
@NullMarked
package io.floodgate.processor.topology.disk;

import org.jspecify.annotations.NullMarked;
