export type { CallContext } from './call-context.js';
export type { Caller } from './caller.js';
export type { CallerFacts } from './call-route.js';
export {
  JsonRpcHandler,
  JsonRpcMethod,
  JsonRpcStream,
  declaredMethods,
  type Access,
  type DeclaredMethod,
  type JsonRpcMethodSpec,
  type MethodKind,
} from './decorators.js';
export type { DispatchOutcome, NoOutcome, SingleOutcome, StreamOutcome } from './dispatch-outcome.js';
export { Dispatcher } from './dispatcher.js';
export { codeOf, statusOf } from './error-codes.js';
export { FailedCall, toErrorAnswer, type Answer, type AnswerHeaders } from './failed-call.js';
export { toJsonRpcError, type ErrorContext, type JsonRpcError } from './json-rpc-error.js';
export { JsonRpcModule } from './json-rpc.module.js';
export { JsonRpcRegistry, type RegisteredMethod } from './json-rpc-registry.js';
export type { MethodFamily } from './method-family.js';
export { NoParams } from './method-dto.js';
export { ParamsChecks, type ParamsCheck } from './params-check.js';
export {
  BodyTooLargeError,
  HttpsRequiredError,
  InvalidRequestError,
  ParseError,
  PostRequiredError,
  ServerStoppingError,
  UnsupportedContentTypeError,
} from './protocol-errors.js';
export { RawJson } from './raw-json.js';
export { schemaOf, type JsonSchema } from './schema-of.js';
export type { StreamEvent } from './stream-event.js';
export { toStreamFrame } from './stream-frame.js';
