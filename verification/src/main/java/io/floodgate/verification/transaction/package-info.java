/** Workers whose handlers produce in transactions, killed and frozen at any moment. */
@NullMarked
package io.floodgate.verification.transaction;

import org.jspecify.annotations.NullMarked;
