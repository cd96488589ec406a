/** The command client: provisions the topics, sends a command to the partition that owns it and awaits the reply. */
@NullMarked
package io.floodgate.topics.client;

import org.jspecify.annotations.NullMarked;
