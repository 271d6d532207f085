/** A request that nothing is wrong with. */
export interface ValidRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}
