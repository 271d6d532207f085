/** The members that have a value: a spec spells "not given" by leaving out, so that equal specs have equal hashes. */
export function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof present<T>
  >;
}
