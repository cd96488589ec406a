/** Rejects requests when there is too much to do. */
@NullMarked
package io.floodgate.gateway.overload;

import org.jspecify.annotations.NullMarked;
