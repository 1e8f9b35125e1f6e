import type { Json } from '../core/json.ts'
import type { Branch } from './branch.ts'
import { pause } from './deadline.ts'

/** What somebody is asked. */
export interface RequestSpec {
  readonly id: string
  readonly seq: number
  readonly about: Json
  /** The call that awaits the reply; nothing for a question of the agent. */
  readonly call?: number
  /** Of the call that is to be approved. */
  readonly hash?: string
  /** When an earlier process put it on record; nothing for a new one. */
  readonly askedAt: number | undefined
  readonly expiresInMs: number
  /** Takes it back, as a cancel of the run does. */
  readonly over?: AbortSignal
}

/** Asks and waits: for the reply, for the end of the request, for it to be taken back, or for a cancel. */
export async function request(
  branch: Branch,
  spec: RequestSpec,
): Promise<{ readonly reply: Json } | undefined> {
  const { tree, path } = branch
  const { id, seq, about } = spec
  const at = spec.askedAt ?? tree.clock.now()
  if (spec.askedAt === undefined) {
    const { call, hash } = spec
    tree.journal.push({
      type: 'requested',
      path,
      seq,
      ...(call === undefined ? {} : { call }),
      request: id,
      about,
      ...(hash === undefined ? {} : { hash }),
      at,
    })
  }
  await tree.journal.flush()
  const known = tree.requests.known(id)
  if (known !== undefined) return { reply: known }
  const replied = tree.requests.wait(id, about)
  if (tree.audience.hears('request-open'))
    tree.audience.tell({ type: 'request-open', path, seq, request: id, about })
  else tree.services.unheard?.(unheard(tree.runId, id))
  const expiresAt = at + spec.expiresInMs
  const span = branch.trace?.wait(spec.hash === undefined ? 'question' : 'approval')
  const seen = await untilOver(branch, replied, expiresAt, spec.over)
  span?.end(seen === undefined ? 'unanswered' : 'answered')
  tree.requests.close(id)
  // Whoever shows it stops showing it, also when nobody replied.
  const reply = seen?.reply ?? null
  if (tree.audience.hears('request-close'))
    tree.audience.tell({ type: 'request-close', path, seq, request: id, reply })
  return seen
}

const unheard = (run: string, id: string): string =>
  `the run ${run} waits for a reply to ${id}, and nobody hears its events; iterate the run and answer request-open with respond`

async function untilOver(
  { tree }: Branch,
  replied: Promise<Json>,
  expiresAt: number,
  takenBack: AbortSignal | undefined,
): Promise<{ readonly reply: Json } | undefined> {
  const over = new AbortController()
  const given = AbortSignal.any([tree.cancelSignal, over.signal, ...(takenBack ? [takenBack] : [])])
  const answered = replied.then((reply) => ({ reply }))
  const leftMs = Math.max(0, expiresAt - tree.clock.now())
  const expired = pause(tree.clock, leftMs, given).then(() => undefined)
  const seen = await Promise.race([answered, expired])
  over.abort()
  return seen
}
