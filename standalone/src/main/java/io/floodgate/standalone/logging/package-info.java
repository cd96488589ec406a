/** What of the libraries' logs is worth a user's attention. */
@NullMarked
package io.floodgate.standalone.logging;

import org.jspecify.annotations.NullMarked;
