/** The OJS job envelope: how a submitted job is read and checked, its states, and how a job is shown. */
@NullMarked
package io.floodgate.topics.job;

import org.jspecify.annotations.NullMarked;
