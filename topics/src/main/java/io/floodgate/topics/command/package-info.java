/** What can be asked of a partition, and what it answers: sealed families of records and their form on the wire. */
@NullMarked
package io.floodgate.topics.command;

import org.jspecify.annotations.NullMarked;
