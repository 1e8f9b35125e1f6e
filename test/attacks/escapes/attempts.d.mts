export declare const attempts: Readonly<Record<string, unknown>>

/** What Node's permission model does not hide: whether a path exists. */
export declare const probes: Readonly<Record<string, unknown>>
