/** A small HTTP/1.1 client over blocking sockets: a load generator that shares its cores with the server must cost little. */
@NullMarked
package io.floodgate.bench.http;

import org.jspecify.annotations.NullMarked;
