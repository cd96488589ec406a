/** Topics whose records become jobs, and those to which outcomes of jobs are written: {@code /ojs/v1/admin/sources} and {@code sinks}. */
@NullMarked
package io.floodgate.gateway.source;

import org.jspecify.annotations.NullMarked;
