/**
 * Callers below HTTP: whether they are still there while they wait, and how long they may take to send a request or to
 * read its answer.
 */
@NullMarked
package io.floodgate.gateway.connection;

import org.jspecify.annotations.NullMarked;
