export declare const LIBRARIES: Readonly<Record<string, readonly string[]>>;
