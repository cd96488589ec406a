/** What becomes of an installation on three brokers when a part of it is gone, seen from outside. */
@NullMarked
package io.floodgate.verification.cluster;

import org.jspecify.annotations.NullMarked;
