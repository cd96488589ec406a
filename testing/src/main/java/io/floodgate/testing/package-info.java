/**
 * Support for tests of programs that use Floodgate. {@link io.floodgate.testing.InMemoryFloodgate} needs no server;
 * {@link io.floodgate.testing.FloodgateExtension} starts one in the process of the tests, {@link
 * io.floodgate.testing.FloodgateContainer} one in a container.
 */
@NullMarked
package io.floodgate.testing;

import org.jspecify.annotations.NullMarked;
