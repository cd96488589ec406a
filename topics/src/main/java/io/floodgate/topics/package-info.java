/** The contract between Floodgate's processes: topics, routing of keys and job ids to logs, and record headers. */
@NullMarked
package io.floodgate.topics;

import org.jspecify.annotations.NullMarked;
