package io.floodgate.gateway.explain;

/** What a finding costs, the worst first: of findings of one severity, these come in this order. */
enum Harm {
    /** Nothing works as it should. */
    SERVER,
    /** Jobs are lost, dropped or dead; or a worker is. */
    LOST,
    REJECTED,
    FAILING,
    WAITING;

    static Harm of(FindingCode code) {
        return switch (code) {
            case SystemCode system -> SERVER;
            case QueueCode queue ->
                switch (queue) {
                    case DROPPING, DEAD_LETTERS, WORKERS_LOST -> LOST;
                    case PRODUCERS_FASTER, FULL_AND_STILL, ONE_TENANT -> REJECTED;
                    case FAILING, STUCK, WAITING_TO_RETRY -> FAILING;
                    default -> WAITING;
                };
            case WorkerCode worker -> worker == WorkerCode.LOST ? LOST : WAITING;
            case TenantCode tenant -> REJECTED;
            case ScheduleCode schedule -> schedule == ScheduleCode.FAILS ? FAILING : WAITING;
            case WorkflowCode workflow -> FAILING;
            case WebhookCode webhook -> FAILING;
            case SourceCode source -> FAILING;
            case SinkCode sink -> FAILING;
            default -> WAITING;
        };
    }
}
