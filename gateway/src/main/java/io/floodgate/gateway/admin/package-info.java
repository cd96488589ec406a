/** What dashboards, command-line tools and operators ask about jobs, workers and figures, over all partitions. */
@NullMarked
package io.floodgate.gateway.admin;

import org.jspecify.annotations.NullMarked;
