/** Rate limits, judged by what a caller sees: the {@code started_at} of the jobs that fetches answer with. */
@NullMarked
package io.floodgate.verification.limits;

import org.jspecify.annotations.NullMarked;
