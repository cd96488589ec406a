/**
 * A small HTTP/1.1 client over blocking sockets. A load generator that shares its cores with the server must cost little,
 * and must not forgive: what is not a well-formed response with the expected status is an error.
 */
@NullMarked
package io.floodgate.bench.http;

import org.jspecify.annotations.NullMarked;
