package io.floodgate.gateway.access;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import java.time.Instant;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request, and its rights. Its key and what the request names decide about a rejection, never what
 * exists: so rejections reveal nothing.
 */
public final class ApiPrincipal {
    /** Principal where no keys are asked for: it has no name, and may do everything. */
    public static final ApiPrincipal PUBLIC = new ApiPrincipal(null, Set.of(Scope.values()), null, () -> true);

    private final @Nullable Identity identity;
    private final Set<Scope> scopes;
    private final @Nullable Instant expires;
    private final BooleanSupplier known;
    private final String source;

    ApiPrincipal(@Nullable Identity identity, Set<Scope> scopes, @Nullable Instant expires, BooleanSupplier known) {
        this.identity = identity;
        this.scopes = scopes;
        this.expires = expires;
        this.known = known;
        source = identity == null ? "" : "key '" + identity.name() + "'";
    }

    /** Distinguishes the caller's key from other keys; empty without a key. */
    public String source() {
        return source;
    }

    /** Returns the identity that commands carry; null for a principal without a key. */
    public @Nullable Identity identity() {
        return identity;
    }

    /** The tenant whose jobs alone it may access; null for all jobs. */
    public @Nullable String tenant() {
        return identity == null ? null : identity.tenant();
    }

    /** Returns when its key ends; null for never. */
    public @Nullable Instant expires() {
        return expires;
    }

    /** Returns whether its key still lets it in: it may have been taken away while the request is being served. */
    public boolean isKnown() {
        return known.getAsBoolean();
    }

    /** Returns whether it may do what is in this scope. */
    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /** Throws unless it may do what is in this scope, and reaches so far. */
    public void mustMay(Scope scope, Reach reach) throws RejectedException {
        if (identity == null || scope == Scope.PUBLIC) return;
        if (!scopes.contains(scope))
            throw new RejectedException(denied("The key '%s' has not the scope '%s', which this takes."
                            .formatted(identity.name(), scope.wire()))
                    .with("scope", scope.wire()));
        boolean farEnough = switch (reach) {
            case SERVER -> !identity.isConfined();
            case QUEUE, QUEUES -> identity.tenant() == null;
            case TENANT -> identity.queues() == null;
            case JOBS -> true;
        };
        if (!farEnough)
            throw new RejectedException(
                    denied("The key '%s' is for some queues or one tenant only, and this is about more."
                            .formatted(identity.name())));
    }

    /** Returns whether there is this queue for it. */
    public boolean mayUse(String queue) {
        return identity == null || identity.mayUse(queue);
    }

    /** Throws unless there is this queue for it, whether there is the queue or not. */
    public void mustUse(String queue) throws RejectedException {
        if (identity == null || mayUse(queue)) return;
        throw new RejectedException(
                denied("The key '%s' is not for queue '%s'.".formatted(identity.name(), Limits.echo(queue)))
                        .with("queue", Limits.echo(queue)));
    }

    /** The same for what can be about one queue, or, if it names none, about all. */
    public void mustUseAny(@Nullable String queue) throws RejectedException {
        if (queue != null) mustUse(queue);
        else if (identity != null && identity.queues() != null)
            throw new RejectedException(denied("The key '%s' is for some queues only: name one of them with 'queue'."
                            .formatted(identity.name()))
                    .with("field", "queue"));
    }

    private static Rejection denied(String message) {
        return Rejection.of(ErrorCode.PERMISSION_DENIED, message);
    }
}
