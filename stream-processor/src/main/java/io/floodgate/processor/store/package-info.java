/** The storage of a partition's state: keys, the binary form of values, and the port to the stores. */
@NullMarked
package io.floodgate.processor.store;

import org.jspecify.annotations.NullMarked;
