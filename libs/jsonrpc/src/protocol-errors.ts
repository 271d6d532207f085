import { A2aNotAvailableError, AuthorizationError, CleverAgentsError } from '@cleveragents/kernel';

/** The body is not JSON. */
export class ParseError extends CleverAgentsError {
  static readonly defaultReason: string = 'PARSE_ERROR';

  constructor(options?: ErrorOptions) {
    super('Parse error: the body is not valid JSON', {}, options);
  }
}

/** The body is JSON but no JSON-RPC 2.0 request. */
export class InvalidRequestError extends CleverAgentsError {
  static readonly defaultReason: string = 'INVALID_REQUEST';

  constructor(problem: string, hint?: string) {
    super(`Invalid Request: ${problem}`, hint === undefined ? {} : { hint });
  }
}

export class BodyTooLargeError extends CleverAgentsError {
  static readonly defaultReason: string = 'BODY_TOO_LARGE';

  constructor(limitBytes: number) {
    super('The body is too large', { limit_bytes: limitBytes });
  }
}

export class UnsupportedContentTypeError extends CleverAgentsError {
  static readonly defaultReason: string = 'CONTENT_TYPE_NOT_SUPPORTED';

  constructor() {
    super('The body must be application/json', { supported: ['application/json'] });
  }
}

/** JSON-RPC over HTTP is POST alone. */
export class PostRequiredError extends CleverAgentsError {
  static readonly defaultReason: string = 'POST_REQUIRED';

  constructor() {
    super('This endpoint takes POST requests');
  }
}

/** The request came in the clear: it is refused before its token or body is read, and never redirected. */
export class HttpsRequiredError extends AuthorizationError {
  static override readonly defaultReason: string = 'HTTPS_REQUIRED';

  constructor() {
    super('This server answers over HTTPS only');
  }
}

/** The server is about to stop and takes no new calls. */
export class ServerStoppingError extends A2aNotAvailableError {
  static override readonly defaultReason: string = 'SERVER_STOPPING';

  constructor() {
    super('The server is stopping; try again');
  }
}

/** Something the server needs, as a rule its database, does not answer for now. */
export class DependencyAwayError extends A2aNotAvailableError {
  static override readonly defaultReason: string = 'TEMPORARILY_UNAVAILABLE';

  constructor(options?: ErrorOptions) {
    super('The server cannot reach its database; try again', {}, options);
  }
}
