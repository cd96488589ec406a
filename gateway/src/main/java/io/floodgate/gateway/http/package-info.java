/** The HTTP edge of all resources: reading requests, and answering them with the right status, headers and body. */
@NullMarked
package io.floodgate.gateway.http;

import org.jspecify.annotations.NullMarked;
