/** Versions of jobs, and which of them a worker takes (OJS job versioning). */
@NullMarked
package io.floodgate.topics.version;

import org.jspecify.annotations.NullMarked;
