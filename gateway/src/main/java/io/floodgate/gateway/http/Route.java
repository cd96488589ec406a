package io.floodgate.gateway.http;

import io.floodgate.gateway.access.Reach;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.gateway.overload.Importance;
import io.helidon.http.Method;

/**
 * One operation of the API. All there is to know about it stands in one row of the table of routes: dispatch, the answers
 * to wrong methods, limits and metrics come from there.
 *
 * @param name in metrics and logs, as {@code job.enqueue}
 * @param path with parameters as {@code {id}}, each a whole segment
 * @param scope what it is for, which a key must have
 * @param reach how far it goes for keys that are confined: no further than for others unless its row says so
 * @param maxBody how many bytes of a body are read
 * @param memoryClass from which memory its body and its answer come
 * @param importance how soon it is rejected when there is too much to do
 */
public record Route(
        String name,
        Method method,
        String path,
        Scope scope,
        Reach reach,
        int maxBody,
        MemoryClass memoryClass,
        Importance importance,
        Operation operation) {
    /**
     * Bytes of a body for everything but jobs: a result or an error may be as large as a job, plus what is around it.
     */
    public static final int MODERATE = 1024 * 1024 + 64 * 1024;

    public static Route get(String name, String path, Operation operation) {
        return new Route(
                name,
                Method.GET,
                path,
                Scope.OBSERVE,
                Reach.SERVER,
                MODERATE,
                MemoryClass.ORDINARY,
                Importance.ALWAYS,
                operation);
    }

    public static Route post(String name, String path, Scope scope, Operation operation) {
        return new Route(
                name, Method.POST, path, scope, Reach.SERVER, MODERATE, MemoryClass.ORDINARY, of(scope), operation);
    }

    public static Route put(String name, String path, Scope scope, Operation operation) {
        return new Route(
                name, Method.PUT, path, scope, Reach.SERVER, MODERATE, MemoryClass.ORDINARY, of(scope), operation);
    }

    public static Route patch(String name, String path, Scope scope, Operation operation) {
        return new Route(
                name, Method.PATCH, path, scope, Reach.SERVER, MODERATE, MemoryClass.ORDINARY, of(scope), operation);
    }

    public static Route delete(String name, String path, Scope scope, Operation operation) {
        return new Route(
                name, Method.DELETE, path, scope, Reach.SERVER, MODERATE, MemoryClass.ORDINARY, of(scope), operation);
    }

    public Route upTo(int bytes) {
        return new Route(name, method, path, scope, reach, bytes, memoryClass, importance, operation);
    }

    public Route with(Operation other) {
        return new Route(name, method, path, scope, reach, maxBody, memoryClass, importance, other);
    }

    /**
     * Marks a route that reports finished work, or keeps work alive: it is never turned away for the sake of others.
     */
    public Route completing() {
        return new Route(
                name, method, path, scope, reach, maxBody, MemoryClass.COMPLETION, Importance.ALWAYS, operation);
    }

    /** Marks a route that brings jobs which could come later. */
    public Route bringingJobs() {
        return new Route(name, method, path, scope, reach, maxBody, memoryClass, Importance.NEW_JOBS, operation);
    }

    /** Workers take work away, and operators make room: that must go on. */
    private static Importance of(Scope scope) {
        return scope == Scope.PRODUCE ? Importance.WRITE : Importance.ALWAYS;
    }

    /** Marks a route that shows no data of callers. */
    public Route forEveryone() {
        return new Route(name, method, path, Scope.PUBLIC, reach, maxBody, memoryClass, importance, operation);
    }

    /** Marks a route about the queue that its path names. */
    public Route ofQueue() {
        return new Route(name, method, path, scope, Reach.QUEUE, maxBody, memoryClass, importance, operation);
    }

    /** Marks a route about what happens in queues, which shows only those that its caller may see. */
    public Route ofQueues() {
        return new Route(name, method, path, scope, Reach.QUEUES, maxBody, memoryClass, importance, operation);
    }

    /** Marks a route about what a tenant has, and no queue. */
    public Route ofTenant() {
        return new Route(name, method, path, scope, Reach.TENANT, maxBody, memoryClass, importance, operation);
    }

    /** Marks a route about jobs, which checks the queues that are named with them. */
    public Route ofJobs() {
        return new Route(name, method, path, scope, Reach.JOBS, maxBody, memoryClass, importance, operation);
    }
}
