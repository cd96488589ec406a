/** Which jobs count as the same work: the fingerprint of a job, and what its producer wants of a duplicate. */
@NullMarked
package io.floodgate.topics.unique;

import org.jspecify.annotations.NullMarked;
