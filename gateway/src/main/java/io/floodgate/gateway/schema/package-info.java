/** Schemas of job arguments: their registry over HTTP, and the check of jobs that come in. */
@NullMarked
package io.floodgate.gateway.schema;

import org.jspecify.annotations.NullMarked;
