export declare const attempts: Readonly<Record<string, unknown>>

/** Probes of whether a path exists, which Node's permission model does not hide. */
export declare const probes: Readonly<Record<string, unknown>>
