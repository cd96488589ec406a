/** The part of the heap that requests and answers may take, all together. */
@NullMarked
package io.floodgate.gateway.memory;

import org.jspecify.annotations.NullMarked;
