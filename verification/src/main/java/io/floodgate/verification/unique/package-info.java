/** Many callers that want the same key at once. */
@NullMarked
package io.floodgate.verification.unique;

import org.jspecify.annotations.NullMarked;
