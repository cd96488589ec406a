/** The documentation as a site: the Markdown of the repository, rendered when it is asked for. */
@NullMarked
package io.floodgate.gateway.docs;

import org.jspecify.annotations.NullMarked;
