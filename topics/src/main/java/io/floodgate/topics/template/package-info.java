/** JSON in which texts that begin with {@code $.} are paths into something else. */
@NullMarked
package io.floodgate.topics.template;

import org.jspecify.annotations.NullMarked;
