/** What is sent: small jobs, as any producer writes them. */
@NullMarked
package io.floodgate.bench.job;

import org.jspecify.annotations.NullMarked;
