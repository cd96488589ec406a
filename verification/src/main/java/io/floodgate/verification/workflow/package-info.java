/** Workflows while processors are killed, judged by answers and events alone. */
@NullMarked
package io.floodgate.verification.workflow;

import org.jspecify.annotations.NullMarked;
