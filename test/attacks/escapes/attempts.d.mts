export declare const attempts: Readonly<Record<string, unknown>>
