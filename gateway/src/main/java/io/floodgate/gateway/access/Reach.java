package io.floodgate.gateway.access;

/**
 * How the objects of an operation are found, and so how far it goes for a key that is confined to some queues or to one
 * tenant.
 */
public enum Reach {
    /** It is about the whole server, or about objects without an owner: not for a confined key. */
    SERVER,
    /** It is about the queue in the path: for a key of this queue; not for one of a tenant, who shares it with others. */
    QUEUE,
    /** It is about what happens in queues: the operation shows that of the key's. Not for one of a tenant. */
    QUEUES,
    /**
     * It is about jobs. The operation sees to it that the queues which the request names are the key's; and from which jobs
     * it may have, the partition that has them keeps a confined key away.
     */
    JOBS
}
