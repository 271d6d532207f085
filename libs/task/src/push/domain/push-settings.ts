import { ValidationError, type FieldProblem } from '@cleveragents/kernel';

/** What a client says about its webhook, in the form of A2A 1.0. */
export interface PushSettings {
  readonly id?: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** Stands for a secret in every answer. */
export const HIDDEN = '********';

/** RFC 9110 §5.6.2. */
const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What can stand in a header as it is: printable ASCII, no blank at either end. */
const HEADER_TEXT = /^[!-~](?:[ -~]*[!-~])?$/;
const URL_TEXT = /^[!-~]+$/;

/**
 * Refuses settings that could not be sent as headers, or that would put further headers into the request. `path` leads to
 * the settings. Whether the address may be called is another question.
 */
export function checkSettings(settings: PushSettings, path = ''): void {
  const problems = problemsOf(settings).map((problem) => ({ ...problem, path: `${path}${problem.path}` }));
  if (problems.length > 0) throw new ValidationError(problems);
}

function problemsOf({ id, url, token, authentication }: PushSettings): FieldProblem[] {
  return [
    ...(id === undefined || HEADER_TEXT.test(id) ? [] : [{ path: 'id', message: 'must be printable ASCII' }]),
    ...(URL_TEXT.test(url)
      ? []
      : [{ path: 'url', message: 'must not contain blanks, control or non-ASCII characters' }]),
    ...(token === undefined ? [] : secretProblems('token', token)),
    ...(authentication === undefined ? [] : authenticationProblems(authentication)),
  ];
}

function authenticationProblems({ scheme, credentials }: NonNullable<PushSettings['authentication']>): FieldProblem[] {
  if (!HTTP_TOKEN.test(scheme)) {
    return [{ path: 'authentication.scheme', message: 'must be the name of an HTTP authentication scheme' }];
  }
  const path = 'authentication.credentials';
  if (credentials !== undefined) return secretProblems(path, credentials);
  return isBearer(scheme) ? [] : [{ path, message: `is required with the scheme ${scheme.slice(0, 32)}` }];
}

function secretProblems(path: string, secret: string): FieldProblem[] {
  if (!HEADER_TEXT.test(secret)) {
    return [{ path, message: 'must be printable ASCII, without blanks at its ends, and not be empty' }];
  }
  return secret === HIDDEN ? [{ path, message: 'is what stands for a hidden value, not the value' }] : [];
}

/** The one scheme that needs no credentials: this server then presents its own signature (A2A 0.3 §9.5). */
export function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer';
}
