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
  const problems: FieldProblem[] = [];
  const add = (path: string, message: string): void => void problems.push({ path, message });
  if (id !== undefined && !HEADER_TEXT.test(id)) add('id', 'must be printable ASCII');
  if (!URL_TEXT.test(url)) add('url', 'must not contain blanks, control or non-ASCII characters');
  if (token !== undefined) addSecretProblem('token', token, add);
  if (authentication === undefined) return problems;
  const { scheme, credentials } = authentication;
  if (!HTTP_TOKEN.test(scheme)) add('authentication.scheme', 'must be the name of an HTTP authentication scheme');
  if (credentials !== undefined) addSecretProblem('authentication.credentials', credentials, add);
  else if (!isBearer(scheme)) add('authentication.credentials', `is required with the scheme ${scheme.slice(0, 32)}`);
  return problems;
}

function addSecretProblem(path: string, secret: string, add: (path: string, message: string) => void): void {
  if (!HEADER_TEXT.test(secret)) {
    add(path, 'must be printable ASCII, without blanks at its ends, and not be empty');
  } else if (secret === HIDDEN) {
    add(path, 'is what stands for a hidden value, not the value');
  }
}

/** The one scheme that needs no credentials: this server then presents its own signature (A2A 0.3 §9.5). */
export function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer';
}
