/**
 * A call for operators, outside the HTTP contract. It yields progress reports and, last, its result. It throws a
 * `ServiceError` for what an operator can understand, and ends early when `signal` is aborted because the caller has
 * disconnected.
 */
export type OperatorCall = (args: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<object>;

/** By name. They run in the server of a data folder, which is called over its socket, or in the command's own process. */
export type OperatorCalls = Readonly<Record<string, OperatorCall>>;
