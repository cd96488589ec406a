/** Jobs that the system makes itself, and what has made them. */
@NullMarked
package io.floodgate.processor.own;

import org.jspecify.annotations.NullMarked;
