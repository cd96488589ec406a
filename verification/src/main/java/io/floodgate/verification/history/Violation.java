package io.floodgate.verification.history;

/** That something cannot be true, and of which job (or which token, when nobody knows the job's id). */
public record Violation(String job, String what) {}
