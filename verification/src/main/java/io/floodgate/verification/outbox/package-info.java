/** Transactions of a database whose rows become jobs, and what must have become of each of them. */
@NullMarked
package io.floodgate.verification.outbox;

import org.jspecify.annotations.NullMarked;
