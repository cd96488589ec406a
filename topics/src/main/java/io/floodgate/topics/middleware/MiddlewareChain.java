package io.floodgate.topics.middleware;

import java.util.ArrayList;
import java.util.List;

/**
 * Middleware in its order, each under a name of its own. It is put together before the first job: what has been built
 * with it does not see later changes.
 *
 * @param <M> the kind of middleware
 */
public final class MiddlewareChain<M> {
    private record Named<M>(String name, M middleware) {}

    private final List<Named<M>> chain = new ArrayList<>();

    /** Puts it at the end: the last one, or the innermost one. */
    public MiddlewareChain<M> add(String name, M middleware) {
        return insert(chain.size(), name, middleware);
    }

    /** Puts it at the beginning: the first one, or the outermost one. */
    public MiddlewareChain<M> prepend(String name, M middleware) {
        return insert(0, name, middleware);
    }

    public MiddlewareChain<M> insertBefore(String existing, String name, M middleware) {
        return insert(indexOf(existing), name, middleware);
    }

    public MiddlewareChain<M> insertAfter(String existing, String name, M middleware) {
        return insert(indexOf(existing) + 1, name, middleware);
    }

    public MiddlewareChain<M> remove(String name) {
        chain.remove(indexOf(name));
        return this;
    }

    /** Returns the names in their order. */
    public List<String> names() {
        return chain.stream().map(Named::name).toList();
    }

    /** Returns the middleware as it stands now, in its order. */
    public List<M> all() {
        return chain.stream().map(Named::middleware).toList();
    }

    private MiddlewareChain<M> insert(int index, String name, M middleware) {
        if (names().contains(name))
            throw new IllegalArgumentException("there is middleware named '%s' already".formatted(name));
        chain.add(index, new Named<>(name, middleware));
        return this;
    }

    private int indexOf(String name) {
        int index = names().indexOf(name);
        if (index < 0)
            throw new IllegalArgumentException("there is no middleware named '%s', only %s".formatted(name, names()));
        return index;
    }
}
