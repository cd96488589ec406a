/** What requests and answers may take of the heap, all together. */
@NullMarked
package io.floodgate.gateway.memory;

import org.jspecify.annotations.NullMarked;
