const LIMIT = 1000;

/** Counts wrong and missing answers of a cell and keeps the text of the first. */
export class Faults {
  #count = 0;
  #first = null;

  add(text) {
    this.#count += 1;
    this.#first ??= text;
  }

  /** A server that only fails would make the loops spin. */
  get areTooMany() {
    return this.#count > LIMIT;
  }

  figures() {
    return { wrong: this.#count, firstWrong: this.#first };
  }
}
