/** The description of the HTTP API for programs, made from the table of routes. */
@NullMarked
package io.floodgate.gateway.openapi;

import org.jspecify.annotations.NullMarked;
