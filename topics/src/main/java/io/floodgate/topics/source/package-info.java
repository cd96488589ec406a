/** How records of any topic become jobs. */
@NullMarked
package io.floodgate.topics.source;

import org.jspecify.annotations.NullMarked;
