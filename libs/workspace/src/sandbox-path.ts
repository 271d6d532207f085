/** A caller's path, proven to lie inside a sandbox. */
export interface SandboxPath {
  /** Normalised, relative to the root, `/` between segments. */
  readonly relative: string;
  readonly absolute: string;
}
