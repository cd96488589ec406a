/**
 * What the machine can do at best: an echo through the same kind of log that Floodgate uses, with the same producer
 * settings, but without HTTP, rules or state. The other figures are shown as a share of it.
 */
@NullMarked
package io.floodgate.bench.limit;

import org.jspecify.annotations.NullMarked;
