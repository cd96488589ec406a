package io.floodgate.verification.history;

/**
 * What the server says of a key of unique jobs when all is quiet.
 *
 * @param job that has it; empty for a key of which only {@code claimed} is said
 * @param state of the job; empty if there is no such job any more
 * @param claimed another job of the key is said to be under way
 */
public record KeyAtRest(String key, String job, String state, boolean claimed) {}
