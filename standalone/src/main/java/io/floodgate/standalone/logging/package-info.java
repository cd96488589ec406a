/** Filters for the libraries' log lines, so that those worth a user's attention stay. */
@NullMarked
package io.floodgate.standalone.logging;

import org.jspecify.annotations.NullMarked;
