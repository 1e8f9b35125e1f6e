export declare const LIES: readonly string[]
