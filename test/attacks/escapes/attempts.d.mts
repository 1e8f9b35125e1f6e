export declare const attempts: Readonly<Record<string, unknown>>

/** What the permission model of Node does not hold: whether a path is there. */
export declare const probes: Readonly<Record<string, unknown>>
