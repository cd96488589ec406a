/** What is rejected when there is too much to do, and to whom. */
@NullMarked
package io.floodgate.gateway.overload;

import org.jspecify.annotations.NullMarked;
