@NullMarked
package io.floodgate.topics.limit;

import org.jspecify.annotations.NullMarked;
