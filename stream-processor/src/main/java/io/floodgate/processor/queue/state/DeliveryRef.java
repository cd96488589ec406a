package io.floodgate.processor.queue.state;

/**
 * The reply in which a job was handed out. Kept until a command names the job: until then, the requester may say that
 * the reply never reached a worker.
 */
public record DeliveryRef(String requester, long correlation) {}
