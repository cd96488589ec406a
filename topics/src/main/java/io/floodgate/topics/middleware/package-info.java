/** Chains of middleware, for producers and workers alike (OJS middleware §5). */
@NullMarked
package io.floodgate.topics.middleware;

import org.jspecify.annotations.NullMarked;
