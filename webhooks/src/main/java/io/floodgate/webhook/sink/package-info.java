/** Writes outcomes of jobs to topics of users. Start at {@link io.floodgate.webhook.sink.SinkWriters}. */
@NullMarked
package io.floodgate.webhook.sink;

import org.jspecify.annotations.NullMarked;
