/** JSON Lines. */
export const lines = (entries: readonly unknown[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** The first entry of a run, without optional fields. */
export const STARTED = {
  type: 'started' as const,
  path: '',
  runId: 'run-1',
  agent: 'speaker',
  version: 1,
  input: null,
  at: 0,
  seed: 1,
  timeZone: 'UTC',
  models: {},
  limits: {},
}

/** A step that said something. */
export const CLOSED = {
  type: 'closed' as const,
  path: '',
  seq: 0,
  digest: 0,
  seen: { type: 'said' as const },
  at: 0,
  spent: {},
}
