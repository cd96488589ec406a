package io.floodgate.gateway.access;

/**
 * The way in which the objects of an operation are found, and so how far it goes for a key that is confined to some
 * queues or to one tenant.
 */
public enum Reach {
    /** The operation is about the whole server, or about objects without an owner: not for a confined key. */
    SERVER,
    /**
     * The operation is about the queue in the path: for a key of this queue; not for one of a tenant, which shares it
     * with others.
     */
    QUEUE,
    /** The operation is about what happens in queues, and shows that of the key's. Not for a key of a tenant. */
    QUEUES,
    /** The operation is about what a tenant has, and belongs to no queue: not for a key of some queues. */
    TENANT,
    /**
     * The operation is about jobs. It checks that the queues which the request names are the key's; the partition that
     * has a job keeps a confined key away from it.
     */
    JOBS
}
