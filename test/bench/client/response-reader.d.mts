export interface Response {
  readonly status: number;
  readonly isEventStream: boolean;
  readonly body: Buffer;
}

export declare class ResponseReader {
  constructor(onEventBytes?: (bytes: Buffer) => void);
  push(bytes: Buffer): Response | null;
  end(): Response | null;
}
