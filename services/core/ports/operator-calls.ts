/**
 * What an operator may ask of the service as a whole, beside the contract of HTTP. A call tells of its progress as it
 * goes; what it yields last is its result. It throws `ServiceError` for what an operator can understand, and ends
 * early when `signal` is aborted: whoever asked has gone.
 */
export type OperatorCall = (args: Record<string, unknown>, signal: AbortSignal) => AsyncIterable<object>;

/** By name. They run in the server on a data folder, asked over its socket, or in the command's own process. */
export type OperatorCalls = Readonly<Record<string, OperatorCall>>;
