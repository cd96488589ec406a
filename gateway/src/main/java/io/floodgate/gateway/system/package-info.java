/** The server as a whole: manifest, health, metrics, the front page. */
@NullMarked
package io.floodgate.gateway.system;

import org.jspecify.annotations.NullMarked;
