/** Params of a method that takes none. */
export class NoParams {}
