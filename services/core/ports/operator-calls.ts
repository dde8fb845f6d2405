/**
 * What an operator may call, beside the contract of HTTP. A call reports its progress as it goes; what it yields last is
 * its result. It throws `ServiceError` for what an operator can understand, and ends early when `signal` is aborted: the
 * caller has gone.
 */
export type OperatorCall = (args: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<object>;

/** By name. They run in the server of a data folder, called over its socket, or in the command's own process. */
export type OperatorCalls = Readonly<Record<string, OperatorCall>>;
