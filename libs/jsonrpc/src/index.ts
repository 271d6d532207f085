export type { CallContext } from './call-context.js';
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
export { RawJson } from './raw-json.js';
export type { StreamEvent } from './stream-event.js';
