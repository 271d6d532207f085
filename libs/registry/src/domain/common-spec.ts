/**
 * A spec is the document that its author registered, made whole: names canonical, defaults filled in. It keeps the
 * spelling of the wire, because the same document is hashed, versioned, synchronised and shown again.
 */
export interface CommonSpec {
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
