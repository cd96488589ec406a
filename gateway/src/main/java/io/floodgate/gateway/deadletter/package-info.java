/** Discarded jobs over HTTP: list, retry, delete. */
@NullMarked
package io.floodgate.gateway.deadletter;

import org.jspecify.annotations.NullMarked;
