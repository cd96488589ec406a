/** Keys of unique jobs: which jobs have them, and who may come. */
@NullMarked
package io.floodgate.processor.unique;

import org.jspecify.annotations.NullMarked;
