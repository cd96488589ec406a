/**
 * The command line, and all roles in one process. {@link io.floodgate.standalone.Floodgate} lists the commands,
 * {@link io.floodgate.standalone.Standalone} wires the parts.
 */
@NullMarked
package io.floodgate.standalone;

import org.jspecify.annotations.NullMarked;
