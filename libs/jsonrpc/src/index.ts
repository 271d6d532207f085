export { hasAccess } from './call-admission.js';
export type { CallContext } from './call-context.js';
export type { CallerFacts } from './call-route.js';
export type { Caller } from './caller.js';
export { JsonRpcHandler, JsonRpcMethod, JsonRpcStream, declaredMethods } from './decorators.js';
export type { StreamElement, StreamOutcome } from './dispatch-outcome.js';
export { Dispatcher, MAX_BATCH } from './dispatcher.js';
export { FailedCall, toErrorAnswer, type Answer, type AnswerHeaders } from './failed-call.js';
export { JsonRpcModule } from './json-rpc.module.js';
export { JsonRpcRegistry, type RegisteredMethod } from './json-rpc-registry.js';
export { NoParams } from './method-dto.js';
export { openRpcDocument, type OpenRpcDocument } from './open-rpc.js';
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
export type { StreamEvent } from './stream-event.js';
