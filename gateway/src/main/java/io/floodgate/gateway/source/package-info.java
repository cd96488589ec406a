/** Topics whose records become jobs: {@code /ojs/v1/admin/sources}. */
@NullMarked
package io.floodgate.gateway.source;

import org.jspecify.annotations.NullMarked;
