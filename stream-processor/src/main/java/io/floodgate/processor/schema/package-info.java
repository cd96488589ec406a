/** The registry of schemas of job arguments. */
@NullMarked
package io.floodgate.processor.schema;

import org.jspecify.annotations.NullMarked;
