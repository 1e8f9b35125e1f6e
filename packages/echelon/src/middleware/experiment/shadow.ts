import { within } from '../../core/value/abortable.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord, type JsonObject } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, MiddlewareRun } from '../../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../../core/agent/permission.ts'
import { isCount, isTable, rowOf, type Table, withRow } from '../reliability/bounded-table.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'
import { ShadowRun } from './shadow-run.ts'

export interface ShadowOptions {
  /** Timeout of the policy's decision, in milliseconds. Default 1,000. */
  readonly maxMs?: number
}

/** Counts of a shadowed policy's decisions. */
export interface ShadowState {
  /** Decisions requested: turns, offers and calls. */
  readonly asked: number
  /** Those decided like the real verdict. */
  readonly same: number
  /** Those not decided: the policy threw or took too long. */
  readonly failed: number
  /** Those decided differently, by rule; the thirty most recent rules. */
  readonly rules: Table<ShadowCount>
}

/** The decision that a rule would have made. */
export interface ShadowCount {
  readonly allow: number
  readonly ask: number
  readonly deny: number
}

/**
 * Runs a policy without enforcing it: `shadow(permissions({ rules }))` reports and counts what these
 * rules would have done; remove `shadow` to enforce them. It decides about turns, offers and calls. Emits
 * `would`, with the policy's and the real verdict, when they differ, and `failed` when the policy throws
 * or takes longer than `maxMs`; neither has any effect.
 *
 * Counts use the rule name of the verdict (`rule`), or else the tool, or `turn`. A tool that the policy
 * would not offer is still offered, so its calls are counted too. The policy reads its states as they
 * were at the start of the run; its writes last for the run and are visible only to itself. An agent can
 * have one shadow.
 *
 * Place it outermost, like `permissions`: it compares with the verdict of everything inside. State: the
 * counts, per session. On resume they continue; earlier decisions are not repeated, except for a call
 * that waited for an answer, which is counted again.
 * @throws EchelonError INVALID_CONFIG for a middleware without a permit hook, or an invalid option
 */
export function shadow(
  policy: Middleware,
  options: ShadowOptions = {},
): Middleware<'shadow', ShadowState> {
  knownOptions('shadow', options, OPTIONS)
  const { maxMs = 1000 } = options
  atLeast(0, 'shadow', { maxMs })
  const { permit } = policy
  if (permit === undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `shadow: ${policy.name} decides nothing, because it has no permit hook; give it a policy such as permissions()`,
    )
  }
  const shadows = new WeakMap<MiddlewareRun, ShadowRun>()
  const decide: Decide = async (request, held, run) => {
    const shadow = shadows.get(run) ?? new ShadowRun(run)
    shadows.set(run, shadow)
    return permit(request, () => Promise.resolve(held), shadow)
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

type Decide = (request: PermitRequest, held: Verdict, run: MiddlewareRun) => Promise<Verdict>

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

/** The policy's verdict, or why it has none. It must not affect the run, so it never throws. */
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

/** Only a call can ask for approval: elsewhere `ask` allows. */
const effectOf = ({ type }: Verdict, request: PermitRequest): keyof ShadowCount =>
  type === 'ask' && request.type !== 'call' ? 'allow' : type

/** The name of a row. */
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
