/** Workers over HTTP: fetch, ack, nack, heartbeat. */
@NullMarked
package io.floodgate.gateway.worker;

import org.jspecify.annotations.NullMarked;
