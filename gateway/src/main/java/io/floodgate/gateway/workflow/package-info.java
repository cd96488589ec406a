/** Workflows over HTTP. */
@NullMarked
package io.floodgate.gateway.workflow;

import org.jspecify.annotations.NullMarked;
