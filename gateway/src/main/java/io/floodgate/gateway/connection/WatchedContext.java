package io.floodgate.gateway.connection;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/** A connection that is read through its {@link Peer}; all else is the original's. */
final class WatchedContext implements ConnectionContext {
    private final ConnectionContext original;
    private final DataReader reader;

    WatchedContext(ConnectionContext original, Peer peer) {
        this.original = original;
        reader = new FramedReader(peer::read);
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public ListenerContext listenerContext() {
        return original.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return original.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return original.dataWriter();
    }

    @Override
    public Router router() {
        return original.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return original.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return original.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return original.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return original.localPeer();
    }

    @Override
    public boolean isSecure() {
        return original.isSecure();
    }

    @Override
    public String socketId() {
        return original.socketId();
    }

    @Override
    public String childSocketId() {
        return original.childSocketId();
    }
}
