/** Cut networks: each process of an installation in a network namespace, of which connections are dropped for a while. */
@NullMarked
package io.floodgate.verification.network;

import org.jspecify.annotations.NullMarked;
