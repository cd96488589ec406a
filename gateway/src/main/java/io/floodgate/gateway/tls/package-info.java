/** Encryption of the HTTP API. */
@NullMarked
package io.floodgate.gateway.tls;

import org.jspecify.annotations.NullMarked;
