export type KeptEnd = 'head' | 'tail';

/** Keeps a bounded part of an output that may be endless. */
export class OutputCapture {
  isTruncated = false;
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly limit: number,
    private readonly end: KeptEnd,
  ) {}

  add(chunk: Buffer): void {
    if (this.end === 'head') this.addToHead(chunk);
    else this.addToTail(chunk);
  }

  content(): Buffer {
    const all = Buffer.concat(this.chunks);
    return this.end === 'head' ? all : all.subarray(Math.max(0, all.length - this.limit));
  }

  private addToHead(chunk: Buffer): void {
    const room = this.limit - this.size;
    if (chunk.length > room) this.isTruncated = true;
    if (room <= 0) return;
    const kept = chunk.subarray(0, room);
    this.chunks.push(kept);
    this.size += kept.length;
  }

  /** Drops whole chunks from the front as soon as the rest suffices, so memory stays near the limit. */
  private addToTail(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size > this.limit) this.isTruncated = true;
    for (let first = this.chunks[0]; first !== undefined; first = this.chunks[0]) {
      if (this.size - first.length < this.limit) break;
      this.size -= first.length;
      this.chunks.shift();
    }
  }
}
