/** Keys of unique jobs, as operators see them. */
@NullMarked
package io.floodgate.gateway.unique;

import org.jspecify.annotations.NullMarked;
