/** The registry of topics whose records become jobs. */
@NullMarked
package io.floodgate.processor.source;

import org.jspecify.annotations.NullMarked;
