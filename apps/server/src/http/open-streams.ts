import { Injectable } from '@nestjs/common';

export interface OpenStream {
  /** Ends the response in good order; the reader resumes elsewhere by its last cursor. */
  end(): void;
}

/** The streams that this process is writing: they would keep a stopping server up for ever. */
@Injectable()
export class OpenStreams {
  private readonly streams = new Set<OpenStream>();

  get count(): number {
    return this.streams.size;
  }

  add(stream: OpenStream): void {
    this.streams.add(stream);
  }

  delete(stream: OpenStream): void {
    this.streams.delete(stream);
  }

  endAll(): void {
    for (const stream of this.streams) stream.end();
  }
}
