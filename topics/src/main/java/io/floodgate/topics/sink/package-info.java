/** How outcomes of jobs become records of any topic. */
@NullMarked
package io.floodgate.topics.sink;

import org.jspecify.annotations.NullMarked;
