package io.floodgate.worker;

import java.util.function.Consumer;

/** The target of domain events. */
interface EventSink extends AutoCloseable {
    EventSink NOWHERE = new EventSink() {
        @Override
        public void send(byte[] key, byte[] event, Consumer<Exception> failed) {}

        @Override
        public void close() {}
    };

    /**
     * Sends an event. May wait; never throws.
     *
     * @param key events of one job stay in their order
     * @param failed is called if the event will not be on its topic
     */
    void send(byte[] key, byte[] event, Consumer<Exception> failed);

    @Override
    void close();
}
