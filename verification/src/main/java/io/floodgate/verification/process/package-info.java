/** Floodgate in processes of its own, which can be killed, stopped in their tracks, and started again. */
@NullMarked
package io.floodgate.verification.process;

import org.jspecify.annotations.NullMarked;
