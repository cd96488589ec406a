/** Rate limits over HTTP: looked at, listed, overridden. */
@NullMarked
package io.floodgate.gateway.limit;

import org.jspecify.annotations.NullMarked;
