package io.floodgate.gateway.capacity;

/**
 * What a partition looks at before it looks for room, as it was published.
 *
 * @param restricted not all types of jobs may come in, or not all producers
 * @param draining nothing may
 */
public record AdmissionGates(boolean restricted, boolean draining) {
    /** Before anything was published. */
    static final AdmissionGates UNKNOWN = new AdmissionGates(true, false);
}
