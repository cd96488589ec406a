/** Schedules that make jobs: what they consist of, and when they are planned to. */
@NullMarked
package io.floodgate.topics.cron;

import org.jspecify.annotations.NullMarked;
