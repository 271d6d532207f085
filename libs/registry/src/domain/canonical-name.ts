/** Splits `acme/api`; a built-in name without a namespace (`git-checkout`) stands alone and is null. */
export function splitCanonical(canonical: string): { readonly namespace: string; readonly name: string } | null {
  const slash = canonical.indexOf('/');
  return slash < 0 ? null : { namespace: canonical.slice(0, slash), name: canonical.slice(slash + 1) };
}
