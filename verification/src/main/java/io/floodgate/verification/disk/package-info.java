/** Disks that lose what was not synced, and that go wrong on request. */
@NullMarked
package io.floodgate.verification.disk;

import org.jspecify.annotations.NullMarked;
