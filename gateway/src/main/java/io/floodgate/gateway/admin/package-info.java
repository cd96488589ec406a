/** Questions of dashboards, command-line tools and operators about jobs, workers and figures, over all partitions. */
@NullMarked
package io.floodgate.gateway.admin;

import org.jspecify.annotations.NullMarked;
