/** {@code /ojs/v1/cron}: schedules. */
@NullMarked
package io.floodgate.gateway.cron;

import org.jspecify.annotations.NullMarked;
