/**
 * Schemas of job arguments (OJS schema registry): their versions, their bounds, the check of a job, and the copy of the
 * registry that gateways and processors keep. The validator behind it is an optional dependency: libraries for producers
 * and workers come without it.
 */
@NullMarked
package io.floodgate.topics.schema;

import org.jspecify.annotations.NullMarked;
