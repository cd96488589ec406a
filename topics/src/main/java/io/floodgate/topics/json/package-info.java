/** Reading and writing JSON: the only package here that knows Jackson, besides the envelope reader. */
@NullMarked
package io.floodgate.topics.json;

import org.jspecify.annotations.NullMarked;
