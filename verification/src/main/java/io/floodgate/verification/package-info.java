/** What puts a Floodgate to the test from outside; nothing that serves depends on it. */
@NullMarked
package io.floodgate.verification;

import org.jspecify.annotations.NullMarked;
