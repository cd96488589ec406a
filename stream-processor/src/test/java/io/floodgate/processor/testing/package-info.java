/** A partition in memory, or several that write to each other, spoken to and looked at in the words of the domain. */
@NullMarked
package io.floodgate.processor.testing;

import org.jspecify.annotations.NullMarked;
