package io.floodgate.gateway.access;

import io.floodgate.topics.client.RejectedException;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.ServerRequestHeaders;

/** Finds out who sends a request. */
@FunctionalInterface
public interface Authenticator {
    /** Authenticator where no keys are asked for. */
    Authenticator OPEN = (headers, from) -> ApiPrincipal.PUBLIC;

    /** Throws for a caller that is not let in. */
    ApiPrincipal identify(ServerRequestHeaders headers, PeerInfo from) throws RejectedException;
}
