/** Workflows: which of their jobs are to be run, and when. */
@NullMarked
package io.floodgate.processor.workflow;

import org.jspecify.annotations.NullMarked;
