/**
 * Kills an installation while it works, and finds out whether anything was lost or done twice: the processes, what is
 * done to them, how long they take to be back, and what must hold when all is quiet.
 */
@NullMarked
package io.floodgate.verification.crash;

import org.jspecify.annotations.NullMarked;
