package io.floodgate.processor.queue.state;

/**
 * The reply in which a job was handed out. Known until something is heard of the job: as long, whoever asked may say that
 * the reply never reached anybody.
 */
public record DeliveryRef(String requester, long correlation) {}
