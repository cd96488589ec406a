/** Whether what the clients of one small queue were answered can have happened one after the other, in some order. */
@NullMarked
package io.floodgate.verification.linear;

import org.jspecify.annotations.NullMarked;
