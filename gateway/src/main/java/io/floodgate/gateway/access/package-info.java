/** Who may do what: API keys, what they are for, and whom they let in. */
@NullMarked
package io.floodgate.gateway.access;

import org.jspecify.annotations.NullMarked;
