/** One fault after another, on each kind of installation: what is lost, how long nothing is served, and what is said of it. */
@NullMarked
package io.floodgate.verification.fault;

import org.jspecify.annotations.NullMarked;
