/** An installation seen from outside: callers of its API, what they may conclude from what they hear, and its topics. */
@NullMarked
package io.floodgate.verification.client;

import org.jspecify.annotations.NullMarked;
