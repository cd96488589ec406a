/**
 * What the embedded broker has acknowledged is on the disk, also after a loss of power: one sync for all that wait, not one
 * for each append.
 */
@NullMarked
package io.floodgate.standalone.broker.disk;

import org.jspecify.annotations.NullMarked;
