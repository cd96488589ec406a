package io.floodgate.gateway.capacity;

/**
 * The published rules by which a partition rejects jobs before it looks for capacity.
 *
 * @param restricted not all types of jobs may come in, or not all producers
 * @param draining nothing may
 */
public record AdmissionGates(boolean restricted, boolean draining) {
    /** Rules before any were published. */
    static final AdmissionGates UNKNOWN = new AdmissionGates(true, false);
}
