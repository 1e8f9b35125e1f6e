import type { Json } from '../../core/value/json.ts'
import type { Branch } from '../branch.ts'
import { pause } from '../model/deadline.ts'
import type { Clock } from '../../core/agent/ports.ts'
import type { Tree } from '../tree.ts'
import type { Wait } from '../waits.ts'

/** A request to a person. */
export interface RequestSpec {
  readonly id: string
  readonly seq: number
  readonly about: Json
  /** Number of the call that waits for the reply; `undefined` for a question of the agent. */
  readonly call?: number
  /** Hash of the call that needs approval. */
  readonly hash?: string
  /** When an earlier process recorded it; `undefined` for a new request. */
  readonly askedAt: number | undefined
  readonly expiresInMs: number
  /** Withdraws it, as a cancel of the run does. */
  readonly over?: AbortSignal
}

/**
 * Opens a request and waits for the reply, the request's expiry or withdrawal, or a cancel.
 * @throws EchelonError RUN_SUSPENDED when the run is suspended meanwhile
 */
export async function request(
  branch: Branch,
  spec: RequestSpec,
): Promise<{ readonly reply: Json } | undefined> {
  const { tree, path } = branch
  const { id, seq, about } = spec
  const at = spec.askedAt ?? tree.clock.now()
  const expiresAt = at + spec.expiresInMs
  if (spec.askedAt === undefined) {
    const { call, hash } = spec
    tree.snapshots?.keep()
    tree.journal.push({
      type: 'requested',
      path,
      seq,
      ...(call === undefined ? {} : { call }),
      request: id,
      about,
      ...(hash === undefined ? {} : { hash }),
      at,
      ...(expiresAt === Infinity ? {} : { until: expiresAt }),
    })
  }
  await tree.journal.flush()
  const known = tree.requests.known(id)
  if (known !== undefined) return { reply: known }
  const replied = tree.requests.wait(id, about)
  if (tree.audience.hears('request-open'))
    tree.audience.tell({ type: 'request-open', path, seq, request: id, about })
  // A run that may be suspended records the request, so it can be found without events.
  else if (!tree.waits.maySuspend) tree.services.unheard?.(unheard(tree.runId, id))
  const span = branch.trace?.wait(spec.hash === undefined ? 'question' : 'approval')
  const answered = replied.then((reply) => ({ reply }))
  const wait = { request: id, until: expiresAt }
  let seen: Awaited<typeof answered> | undefined
  try {
    seen = await waited(tree, wait, answered, spec.over)
  } catch (error) {
    span?.fail(error)
    throw error
  }
  span?.end(seen === undefined ? 'unanswered' : 'answered')
  tree.requests.close(id)
  // Also emitted without a reply, so that clients stop showing the request.
  const reply = seen?.reply ?? null
  if (tree.audience.hears('request-close'))
    tree.audience.tell({ type: 'request-close', path, seq, request: id, reply })
  return seen
}

const unheard = (run: string, id: string): string =>
  `the run ${run} waits for a reply to ${id}, and its events have no listener; iterate the run and answer request-open with respond`

/**
 * Waits for a promise, the wait's end or withdrawal, or a cancel.
 * @throws EchelonError RUN_SUSPENDED when the run is suspended meanwhile
 */
export async function waited<Value>(
  tree: Tree,
  wait: Wait,
  given?: Promise<Value>,
  takenBack?: AbortSignal,
): Promise<Value | undefined> {
  const { clock, cancelSignal, waits } = tree
  const over = new AbortController()
  const stops = AbortSignal.any([cancelSignal, over.signal, ...(takenBack ? [takenBack] : [])])
  const timed = untilTime(clock, wait.until, stops)
  try {
    return await waits.until(wait, given === undefined ? timed : Promise.race([given, timed]))
  } finally {
    over.abort()
  }
}

/** Maximum length of one timer: timers stop while the machine sleeps, and the time of day does not. */
const LONGEST_TRUST_MS = 30 * 60_000

/** Waits until a time of day, and never longer than the time left at the start. */
async function untilTime(clock: Clock, until: number, stops: AbortSignal): Promise<undefined> {
  let leftMs = until - clock.now()
  do {
    const ms = leftMs === Infinity ? Infinity : Math.max(0, Math.min(leftMs, LONGEST_TRUST_MS))
    await pause(clock, ms, stops)
    leftMs = Math.min(leftMs - ms, until - clock.now())
  } while (leftMs > 0 && !stops.aborted)
  return undefined
}
