import { within } from '../../core/value/abortable.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type { Layer, MiddlewareContext, MiddlewareHost } from '../../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../../core/agent/permission.ts'
import { isCount, isTable, rowOf, type Table, withRow } from '../reliability/bounded-table.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'
import { ShadowHost } from './shadow-host.ts'

export interface ShadowOptions {
  /** The longest that the policy may take to decide, in milliseconds. Default 1,000. */
  readonly maxMs?: number
}

/** What a policy would have done, counted. */
export interface ShadowState {
  /** What it was asked: turns, offers and calls. */
  readonly asked: number
  /** Of these, decided as they were in truth. */
  readonly same: number
  /** Of these, not decided at all: the policy threw, or took too long. */
  readonly failed: number
  /** What it would have decided otherwise, by rule; the thirty that were heard of last. */
  readonly rules: Table<ShadowCount>
}

/** What a rule would have done. */
export interface ShadowCount {
  readonly allow: number
  readonly ask: number
  readonly deny: number
}

/**
 * A policy that decides and enforces nothing: `shadow(permissions({ rules }))` tells and counts what
 * these rules would have done, and `permissions({ rules })` does it. It decides about turns, offers
 * and calls. Tells `would` with what it would have decided and what holds instead, where the two
 * differ, and `failed` when the policy throws or takes longer than `maxMs`; neither changes anything.
 *
 * Rules are named in counts as in verdicts (`rule`), else by what they decide about: the tool, or
 * `turn`. A tool that would not be offered is offered, so its calls are counted too. The policy reads
 * its states as the run began with them; what it writes lasts for the run, and nobody else sees it.
 * There is one shadow in an agent.
 *
 * Stand it outermost, as `permissions` stands: it compares with what everything within decides. State:
 * the counts, of the session. On resume they go on; what was permitted before is not asked again, but
 * for a call that waited for an answer, which is counted a second time.
 * @throws EchelonError INVALID_CONFIG for a layer that permits nothing, or an option that cannot work
 */
export function shadow(policy: Layer, options: ShadowOptions = {}): Layer<'shadow', ShadowState> {
  knownOptions('shadow', options, OPTIONS)
  const { maxMs = 1000 } = options
  atLeast(0, 'shadow', { maxMs })
  const { permit } = policy
  if (permit === undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `shadow: ${policy.name} decides about nothing, for it has no permit hook; give it a policy such as permissions()`,
    )
  }
  const hosts = new WeakMap<MiddlewareHost, ShadowHost>()
  const decide: Decide = async (request, held, run) => {
    const host = hosts.get(run) ?? new ShadowHost(run)
    hosts.set(run, host)
    return permit(request, () => Promise.resolve(held), host)
  }
  return defineMiddleware({
    name: 'shadow',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SCHEMA, initial: INITIAL },
    async permit(request, next, context) {
      const holds = await next(request)
      await compare({ request, holds, decide, maxMs }, context)
      return holds
    },
  })()
}

const OPTIONS: Known<ShadowOptions> = { maxMs: true }

type Decide = (request: PermitRequest, held: Verdict, run: MiddlewareHost) => Promise<Verdict>

interface Comparing {
  readonly request: PermitRequest
  readonly holds: Verdict
  readonly decide: Decide
  readonly maxMs: number
}

type Context = MiddlewareContext<ShadowState>

async function compare(comparing: Comparing, context: Context): Promise<void> {
  const { request, holds } = comparing
  const about = aboutOf(request)
  const would = await decided(comparing, context)
  if (typeof would === 'string') {
    context.emit('failed', { ...about, message: would })
    return context.update((state) => ({ ...raised(state), failed: state.failed + 1 }))
  }
  const [then, now] = [effectOf(would, request), effectOf(holds, request)]
  if (then === now) return context.update((state) => ({ ...raised(state), same: state.same + 1 }))
  const rule = shortened(ruleOf(would) ?? ('tool' in about ? about.tool : about.request))
  context.emit('would', { ...about, rule, would: then, holds: now, ...reasonOf(would) })
  context.update((state) => {
    const count = rowOf(state.rules, rule) ?? NO_COUNT
    const counted = { ...count, [then]: count[then] + 1 }
    return { ...raised(state), rules: withRow(state.rules, rule, counted) }
  })
}

const raised = (state: Context['state']): ShadowState => ({ ...state, asked: state.asked + 1 })

/** What the policy says, or why it says nothing. It is no part of the run, so nothing of it is thrown. */
async function decided(
  { request, holds, decide, maxMs }: Comparing,
  { run }: Context,
): Promise<Verdict | string> {
  try {
    const verdict = await within(run.clock, maxMs, decide(request, holds, run))
    return verdict ?? `it did not decide within ${maxMs} ms`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Only a call can be asked about: elsewhere `ask` allows. */
const effectOf = ({ type }: Verdict, request: PermitRequest): keyof ShadowCount =>
  type === 'ask' && request.type !== 'call' ? 'allow' : type

/** As a row of a table is called. */
const shortened = (rule: string): string => rule.replaceAll(/[^\w.:/@+-]+/g, '-').slice(0, 64)

const ruleOf = (verdict: Verdict): string | undefined =>
  verdict.type === 'allow' ? undefined : verdict.rule

function reasonOf(verdict: Verdict): JsonObject {
  if (verdict.type === 'allow') return {}
  return { reason: verdict.type === 'deny' ? verdict.reason : verdict.why }
}

type About =
  | { readonly request: 'turn' }
  | { readonly request: 'offer'; readonly tool: string }
  | { readonly request: 'call'; readonly tool: string; readonly call: string }

function aboutOf(request: PermitRequest): About {
  switch (request.type) {
    case 'turn':
      return { request: 'turn' }
    case 'offer':
      return { request: 'offer', tool: request.tool }
    case 'call':
      return { request: 'call', tool: request.call.tool, call: request.call.id }
  }
}

const NO_COUNT: ShadowCount = { allow: 0, ask: 0, deny: 0 }
const INITIAL: ShadowState = { asked: 0, same: 0, failed: 0, rules: {} }

const COUNT = { type: 'integer', minimum: 0 }
const SCHEMA = guardedSchema<ShadowState>(
  {
    type: 'object',
    properties: {
      asked: COUNT,
      same: COUNT,
      failed: COUNT,
      rules: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { allow: COUNT, ask: COUNT, deny: COUNT },
          required: ['allow', 'ask', 'deny'],
        },
      },
    },
    required: ['asked', 'same', 'failed', 'rules'],
  },
  (value): value is ShadowState =>
    isRecord(value) &&
    isCount(value['asked']) &&
    isCount(value['same']) &&
    isCount(value['failed']) &&
    isTable(value['rules'], isShadowCount),
)

const isShadowCount = (row: unknown): row is ShadowCount =>
  isRecord(row) && isCount(row['allow']) && isCount(row['ask']) && isCount(row['deny'])
