/** Jobs over HTTP: enqueue one or many, look at them, cancel and activate them. */
@NullMarked
package io.floodgate.gateway.job;

import org.jspecify.annotations.NullMarked;
