/** Schedules: each occurrence has one outcome. */
@NullMarked
package io.floodgate.processor.cron;

import org.jspecify.annotations.NullMarked;
