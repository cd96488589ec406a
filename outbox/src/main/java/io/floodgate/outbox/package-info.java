/**
 * Makes jobs of the rows that applications insert into a table of their database (PostgreSQL): each row that is committed
 * becomes a job once. The id of the job is in the row, so that what was sent and not deleted can be sent again. Start at
 * {@link io.floodgate.outbox.OutboxReader}.
 */
@NullMarked
package io.floodgate.outbox;

import org.jspecify.annotations.NullMarked;
