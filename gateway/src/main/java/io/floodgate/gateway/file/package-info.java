/** Files that operators change while the gateway runs. */
@NullMarked
package io.floodgate.gateway.file;

import org.jspecify.annotations.NullMarked;
