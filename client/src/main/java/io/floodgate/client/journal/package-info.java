/** The journal of a producer on disk: jobs that were handed over and that the server does not have yet. */
@NullMarked
package io.floodgate.client.journal;

import org.jspecify.annotations.NullMarked;
