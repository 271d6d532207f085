export declare function eventReader(onData: (data: string) => void): (bytes: Buffer) => void;
