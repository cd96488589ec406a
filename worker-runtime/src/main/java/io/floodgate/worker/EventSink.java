package io.floodgate.worker;

import java.util.function.Consumer;

/** Where domain events go. */
interface EventSink extends AutoCloseable {
    /**
     * May wait; never throws.
     *
     * @param key events of one job stay in their order
     * @param failed is called if the event will not be on its topic
     */
    void send(byte[] key, byte[] event, Consumer<Exception> failed);

    @Override
    void close();
}
