/** One way to hurt a server each, with what must hold meanwhile and afterwards. */
@NullMarked
package io.floodgate.verification.hostile.attack;

import org.jspecify.annotations.NullMarked;
