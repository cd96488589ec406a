/** The Open Job Spec over HTTP. A gateway holds no state that matters: every decision is a partition's. */
@NullMarked
package io.floodgate.gateway;

import org.jspecify.annotations.NullMarked;
