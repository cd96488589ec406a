package io.floodgate.verification.history;

/** That something cannot be true, and of which job (or which token, when the job's id is unknown). */
public record Violation(String job, String what) {}
