/**
 * What callers did and heard while things were killed, and whether it can be true. A history is recorded by those who did
 * it; each check is one thing that must always hold, and says which job breaks it.
 *
 * <p>An answer is one of three: {@code OK}, {@code REJECTED} (a definite no: nothing was changed), or {@code UNKNOWN} (it may
 * or may not have been executed), and a check must allow both ways for the last.
 */
@NullMarked
package io.floodgate.verification.history;

import org.jspecify.annotations.NullMarked;
