package io.floodgate.topics.command;

/**
 * Everything that can be appended to a partition: what clients may send, what partitions send each other, and the passing of time.
 *
 * <p>A family of commands that one rule executes is sealed. A command that stands alone implements this interface directly, in
 * a file that has its row, too. {@link CommandTypes} lists the rows of all of them.
 */
public interface Command {}
