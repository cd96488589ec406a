/** Access control: API keys, their scopes, and the requests that they allow. */
@NullMarked
package io.floodgate.gateway.access;

import org.jspecify.annotations.NullMarked;
